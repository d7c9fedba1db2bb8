export { type Connections, createApp } from './app.ts';
export { type Codings, codingsOf, takesCoding } from './compress.ts';
export { errorBody, errorHead, secondsUntil } from './error-body.ts';
export { etagOf, holds } from './etag.ts';
export { createExchange, type Exchange } from './exchange.ts';
export { askForBody } from './expect.ts';
export {
  createFail,
  createNoteUnexpected,
  createShowFailure,
  type Fail,
  type ShowFailure,
} from './failure.ts';
export { createFloods, type Floods } from './floods.ts';
export { createGuard, type Guard, preflightHeaders, probes } from './guard.ts';
export { createNetwork, type Network } from './network.ts';
export { createObserve, type Observe } from './observe.ts';
export { methodNotAllowed, splitTarget } from './paths.ts';
export { hasBody, readBytes, readJsonBody, type WeighBody } from './read-body.ts';
export { readForm } from './read-form.ts';
export { endUnread, sendEmpty, sendJson, sendLongJson, sendText } from './send.ts';
export { type HttpServer, listen } from './server.ts';
export { createUntaken } from './untaken.ts';
export { visitorFrame } from './visitor-frame.ts';
