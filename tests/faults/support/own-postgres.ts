import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@hearth/db';
import { signalTree } from './process-tree.ts';

/** A test's own Postgres: stopped and started again with the same port and data, killed, or frozen. */
export async function startOwnPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-faults-postgres-'));
  let server = await startEmbeddedPostgres({ folder });
  const port = Number(new URL(server.url).port);
  let frozen: number | undefined;

  return {
    url: server.url,
    /** Kills the server at once; its supervisor restarts it. */
    kill: () => process.kill(server.pid, 'SIGKILL'),
    /** Breaks every connection and refuses new ones until `start`. */
    stop: () => server.stop(),
    async start() {
      server = await startEmbeddedPostgres({ folder, port });
    },
    /** Freezes it: connections stay open, and nothing answers. */
    freeze() {
      frozen = server.pid;
      signalTree(frozen, 'SIGSTOP');
    },
    resume() {
      if (frozen !== undefined) signalTree(frozen, 'SIGCONT');
      frozen = undefined;
    },
    async end() {
      if (frozen !== undefined) signalTree(frozen, 'SIGCONT');
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
