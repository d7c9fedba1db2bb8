import { connect, type Socket } from 'node:net';

export interface RawReply {
  status: number;
  body: string;
}

/**
 * A kept-alive connection that sends prepared bytes, one request at a time, and reads answers with a
 * Content-Length. As cheap as possible, because it shares two cores with what it measures.
 */
export interface RawClient {
  request(bytes: string): Promise<RawReply>;
  close(): void;
}

export interface RawClientOptions {
  port: number;
  /** The loopback source address; above 28,000 connections, several are needed. */
  from?: string;
}

/** A whole request as sent. Only ASCII, because bodies are sent as latin1. */
export function rawRequest(
  method: string,
  path: string,
  key?: string,
  body?: unknown,
  more: readonly string[] = [],
): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${json.length}`]),
    ...more,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${json}`;
}

export function rawClient({ port, from }: RawClientOptions): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, localAddress: from });
    let buffered = '';
    let waiting: { resolve(reply: RawReply): void; reject(error: Error): void } | undefined;

    const fail = (error: Error) => {
      waiting?.reject(error);
      waiting = undefined;
      reject(error);
    };
    socket.setEncoding('latin1');
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the connection was closed')));
    socket.on('data', (chunk: string) => {
      buffered = buffered === '' ? chunk : buffered + chunk;
      const end = buffered.indexOf('\r\n\r\n');
      if (end === -1) return;
      const whole = end + 4 + bodyLength(buffered, end);
      if (buffered.length < whole) return;
      const reply = { status: Number(buffered.slice(9, 12)), body: buffered.slice(end + 4, whole) };
      buffered = buffered.slice(whole);
      const done = waiting;
      waiting = undefined;
      done?.resolve(reply);
    });
    socket.once('connect', () =>
      resolve({
        request: (bytes) =>
          new Promise((answer, refuse) => {
            if (socket.destroyed) return refuse(new Error('the connection was closed'));
            waiting = { resolve: answer, reject: refuse };
            socket.write(bytes, 'latin1');
          }),
        close: () => {
          socket.removeAllListeners('close');
          socket.destroy();
        },
      }),
    );
  });
}

const lengthHeader = /\r\ncontent-length: (\d+)/i;

function bodyLength(text: string, end: number): number {
  const found = lengthHeader.exec(text);
  return found === null || found.index > end ? 0 : Number(found[1]);
}
