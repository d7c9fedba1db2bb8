import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findBinary } from './binary.ts';
import { keepServer } from './keep-server.ts';
import type { TestServer } from './test-server.ts';

/** True once the server sends its INFO line, which means that it accepts clients. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(500, () => end(false));
    socket.once('error', () => end(false));
    socket.once('data', (chunk) => end(chunk.toString().startsWith('INFO')));
  });
}

export interface NatsServerOptions {
  /** Enables JetStream (default true). */
  jetstream?: boolean;
  /** Additional lines of configuration, such as accounts. */
  more?: string;
}

/** Starts a NATS server with JetStream that writes every message to disk before acknowledging it. */
export function startNats({ jetstream = true, more = '' }: NatsServerOptions = {}): Promise<TestServer> {
  return keepServer({
    name: 'nats',
    url: (port) => `nats://127.0.0.1:${port}`,
    binary: () => findBinary('nats-server'),
    async configure(folder, dataFolder, port) {
      const file = join(folder, 'nats.conf');
      const storage = [
        'jetstream {',
        `  store_dir: ${JSON.stringify(dataFolder)}`,
        '  sync_interval: always',
        // Every stream reserves its maximum size, and many test homes share one server.
        '  max_file_store: 1TB',
        '}',
      ];
      await writeFile(
        file,
        ['host: 127.0.0.1', `port: ${port}`, ...(jetstream ? storage : []), more, ''].join('\n'),
      );
      return ['-c', file];
    },
    ready: greets,
  });
}
