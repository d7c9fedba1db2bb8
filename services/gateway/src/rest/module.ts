export { createApi } from './api.ts';
export { createRoutes } from './route.ts';
