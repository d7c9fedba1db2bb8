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
/** For the client to read the answer after which its connection ends. */
const lastWordsMs = 2_000;
const malformed = ['400 Bad Request', 'the request is not valid HTTP'] as const;

/** The last request of a connection that could be read, and its answer. */
export interface Latest {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers what Node's parser could not read as a request, in the form of every other error, and closes. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  latest: Latest | undefined,
): void {
  if (!socket.writable || error.code === 'ECONNRESET' || !isAnswerable(latest)) {
    socket.destroy();
    return;
  }
  // The client may keep its own side open for ever; it has a moment to read the answer.
  setTimeout(() => socket.destroy(), lastWordsMs).unref();
  const [status, words] = reasons[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ error: words });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

/** Every request gets one answer: no second for one whose body is at fault, none ahead of an answer that is still to come. */
function isAnswerable(latest: Latest | undefined): boolean {
  if (latest === undefined) return true;
  const { request, response } = latest;
  return request.complete ? response.writableEnded : !response.headersSent;
}
