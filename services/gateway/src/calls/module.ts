export { type Answer, ask } from './ask.ts';
export { type Callable, createCallable, type FindPeer } from './callable.ts';
export { type Call, type Calls, type CallsOptions, createCalls, type Question } from './calls.ts';
