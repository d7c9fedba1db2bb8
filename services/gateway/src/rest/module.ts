export { createApi } from './api.ts';
export { createNoSuchPath } from './no-such-path.ts';
export { createRoutes } from './route.ts';
