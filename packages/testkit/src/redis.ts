import { connect } from 'node:net';
import { findBinary } from './binary.ts';
import { keepServer } from './keep-server.ts';
import type { TestServer } from './test-server.ts';

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(500, () => end(false));
    socket.once('error', () => end(false));
    socket.once('data', (chunk) => end(chunk.toString().startsWith('+PONG')));
  });
}

/** Starts a Redis server without persistence: after a kill it is empty. */
export function startRedis(): Promise<TestServer> {
  return keepServer({
    name: 'redis',
    url: (port) => `redis://127.0.0.1:${port}`,
    binary: () => findBinary('redis-server'),
    async configure(_folder, dataFolder, port) {
      return [
        '--bind',
        '127.0.0.1',
        '--port',
        String(port),
        '--dir',
        dataFolder,
        '--save',
        '',
        '--appendonly',
        'no',
        // By default it runs background work ten times a second, needed or not.
        '--hz',
        '1',
      ];
    },
    ready: answersPing,
  });
}
