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

/** A Redis server that keeps everything in memory: killed, it comes back empty. */
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
        // It looks after its own affairs ten times a second otherwise, whether or not there are any.
        '--hz',
        '1',
      ];
    },
    ready: answersPing,
  });
}
