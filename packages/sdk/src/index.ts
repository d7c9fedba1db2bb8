export { connect, type Home, type HomeOptions } from './connect.ts';
export { HomeError } from './home-error.ts';
export type { AnswerOf, InputOf, OperationName } from './operation-types.ts';
export type * from './operations.ts';
export { pages } from './pages.ts';
export type { CallOptions } from './route.ts';
