export { type Connections, createApp } from './app.ts';
export { errorBody, errorHead, secondsUntil } from './error-body.ts';
export { etagOf, holds } from './etag.ts';
export { createExchange, type Exchange } from './exchange.ts';
export {
  createFail,
  createNoteUnexpected,
  createShowFailure,
  type Fail,
  type ShowFailure,
} from './failure.ts';
export { createGuard, type Guard, preflightHeaders } from './guard.ts';
export { createNetwork, type Network } from './network.ts';
export { createObserve, type Observe } from './observe.ts';
export { methodNotAllowed, splitTarget } from './paths.ts';
export { hasBody, readJsonBody } from './read-body.ts';
export { readForm } from './read-form.ts';
export { sendEmpty, sendJson } from './send.ts';
export { type HttpServer, listen } from './server.ts';
export { createUntaken } from './untaken.ts';
