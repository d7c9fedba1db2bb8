export type { Answer } from './ask.ts';
export { type Callable, createCallable, type FindPeer } from './callable.ts';
export { type Calls, createCalls, type Deps as CallsDeps, type Question } from './calls.ts';
export { createLanes } from './lanes.ts';
export { withOwnCursors } from './own-cursors.ts';
