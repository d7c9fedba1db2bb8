import { connect, type Socket } from 'node:net';

export interface RawReply {
  status: number;
  body: string;
}

/**
 * One kept connection that sends prepared bytes and reads answers with a Content-Length: as little as a client
 * can cost, since it shares the two cores with what it measures.
 */
export interface RawClient {
  request(bytes: string): Promise<RawReply>;
  close(): void;
}

export function rawRequest(method: string, path: string, key?: string, body?: unknown): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`]),
  ];
  return `${headers.join('\r\n')}\r\n\r\n${json}`;
}

export function rawClient(port: number): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
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
      const head = buffered.slice(0, end);
      const length = /content-length: (\d+)/i.exec(head);
      const size = length === null ? 0 : Number(length[1]);
      if (buffered.length < end + 4 + size) return;
      const reply = { status: Number(head.slice(9, 12)), body: buffered.slice(end + 4, end + 4 + size) };
      buffered = buffered.slice(end + 4 + size);
      const done = waiting;
      waiting = undefined;
      done?.resolve(reply);
    });
    socket.once('connect', () =>
      resolve({
        request: (bytes) =>
          new Promise((answer, refuse) => {
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
