import type { IncomingMessage, ServerResponse } from 'node:http';

interface Held {
  response: ServerResponse;
  keepAlive: boolean;
}

const held = new WeakMap<IncomingMessage, Held>();

/**
 * Holds back "100 Continue" until the body is wanted. A client that gets its answer before that may send the body or
 * leave it: the connection then ends, for the bytes that follow could be either.
 */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  held.set(request, { response, keepAlive: response.shouldKeepAlive });
  response.shouldKeepAlive = false;
}

/** Lets a client that waits for it send the body. To be called before a body is read. */
export function askForBody(request: IncomingMessage): void {
  const waits = held.get(request);
  if (waits === undefined) return;
  held.delete(request);
  waits.response.shouldKeepAlive = waits.keepAlive;
  waits.response.writeContinue();
}
