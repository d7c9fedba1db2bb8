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
const malformed = ['400 Bad Request', 'the request is not valid HTTP'] as const;

/** Answers what Node's parser could not read as a request, in the form of every other error, and closes. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, words] = reasons[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ error: words });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
