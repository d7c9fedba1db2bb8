import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { certificate, privateKey } from './certificate.ts';

export interface TestServer {
  port: number;
  /** The number of connections opened so far. */
  connections(): number;
  stop(): Promise<void>;
}

export const serveHttp = (listener: RequestListener) => listening(createHttp(listener));

export const serveHttps = (listener: RequestListener) =>
  listening(createHttps({ cert: certificate, key: privateKey }, listener));

export const serveTcp = (onSocket: (socket: Socket) => void) => listening(createTcp(onSocket));

async function listening(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
