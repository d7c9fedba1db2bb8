import type { IncomingMessage, ServerResponse } from 'node:http';

interface Held {
  response: ServerResponse;
  keepAlive: boolean;
}

const held = new WeakMap<IncomingMessage, Held>();

/**
 * Delays "100 Continue" until the body is wanted. If the answer comes first, the client may or may not send
 * the body; the connection then ends, because the next bytes could be either.
 */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  held.set(request, { response, keepAlive: response.shouldKeepAlive });
  response.shouldKeepAlive = false;
}

/** Lets a waiting client send the body. Call it before reading a body. */
export function askForBody(request: IncomingMessage): void {
  const waits = held.get(request);
  if (waits === undefined) return;
  held.delete(request);
  waits.response.shouldKeepAlive = waits.keepAlive;
  waits.response.writeContinue();
}
