import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const reasons: Readonly<Record<string, readonly [status: string, words: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'the request line and headers are longer than 16 KiB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'the request did not arrive whole in time; send it again',
  ],
};
/** Time for the client to read the answer before its connection ends. */
const lastWordsMs = 2_000;
const malformed = ['400 Bad Request', 'the request is not valid HTTP'] as const;

/** A connection's last readable request, and its answer. */
export interface Latest {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers input that Node cannot parse as HTTP with an error like any other, and closes the connection. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  latest: Latest | undefined,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || !isAnswerable(latest)) {
    socket.destroy();
    return;
  }
  // A client may keep its side open forever, so the connection is closed after it had time to read the
  // answer.
  setTimeout(() => socket.destroy(), lastWordsMs).unref();
  const [status, words] = reasons[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ error: words });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

/** Each request gets exactly one answer: no second one for a bad body, and none before a pending answer. */
function isAnswerable(latest: Latest | undefined): boolean {
  if (latest === undefined) return true;
  const { request, response } = latest;
  return request.complete ? response.writableEnded : !response.headersSent;
}
