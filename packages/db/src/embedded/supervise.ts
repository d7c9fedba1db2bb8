import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../types.ts';
import type { Binaries } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { endLeftover } from './postmaster.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { watchOver } from './watchdog.ts';

export interface SuperviseOptions {
  cluster: Cluster;
  binaries: Binaries;
  settings: Record<string, string>;
  log: Log;
}

export interface SupervisedServer {
  pid(): number;
  stop(): Promise<void>;
}

const firstDelayMs = 100;
const maxDelayMs = 5_000;
/** A server that ran for this long is considered healthy: if it ends, the next start is immediate again. */
const soundAfterMs = 30_000;

/**
 * Keeps the server running: if it ends by itself (killed, out of memory, full disk), it is restarted, first at once and
 * then with increasing backoff, indefinitely. Only the first start may fail.
 */
export async function supervise(options: SuperviseOptions): Promise<SupervisedServer> {
  const { cluster, binaries, settings, log } = options;
  const stopping = new AbortController();
  let delayMs = 0;
  let server = await start();
  const loop = keepRunning();

  async function start(): Promise<ServerProcess & { unwatch(): void }> {
    const started = await startServer(cluster, binaries, settings);
    const callOff = watchOver(started.pid, cluster.account);
    const sound = setTimeout(() => (delayMs = 0), soundAfterMs).unref();
    return {
      ...started,
      unwatch() {
        clearTimeout(sound);
        callOff();
      },
    };
  }

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const reason = await server.ended;
      server.unwatch();
      if (stopping.signal.aborted) return;
      log.error({ reason, log: cluster.logFile }, 'Postgres ended by itself and is started again');
      await startAgain();
    }
  }

  async function startAgain(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      delayMs = Math.min(Math.max(delayMs * 2, firstDelayMs), maxDelayMs);
      if (stopping.signal.aborted) return;
      try {
        await endLeftover(cluster.folder, log);
        server = await start();
        log.info({ pid: server.pid }, 'Postgres runs again');
        return;
      } catch (error) {
        log.error({ reason: shortReason(error), nextTryMs: delayMs }, 'Postgres cannot be started again yet');
      }
    }
  }

  return {
    pid: () => server.pid,
    async stop() {
      stopping.abort();
      await server.stop();
      await loop;
      // A start in progress when `stop` was called has put another server in place.
      if (!server.hasEnded()) await server.stop();
      server.unwatch();
    },
  };
}

/** Returns the last line of the server's output that names a fatal error; all of it is in its log. */
function shortReason(error: unknown): string {
  const { message } = error as Error;
  if (message.includes('No space left on device'))
    return 'the disk is full; Postgres starts once some of it is free';
  return message.split('\n').findLast((line) => /(FATAL|PANIC):/.test(line)) ?? message;
}
