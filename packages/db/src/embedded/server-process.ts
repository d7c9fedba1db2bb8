import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { internal } from '@hearth/errors';
import type { Binaries } from './binaries.ts';
import { type Cluster, notRunnable, openPlace } from './cluster.ts';
import { endServer, readPostmasterFile } from './postmaster.ts';

/** A run of the Postgres server, a child of this process. */
export interface ServerProcess {
  pid: number;
  /** Resolves with the reason in words once the server has ended. */
  ended: Promise<string>;
  hasEnded(): boolean;
  /** Shuts the server down: aborts transactions, and writes everything out. */
  stop(): Promise<void>;
}

/** Crash recovery replays everything since the last checkpoint, which can take a while. */
const startTimeoutMs = 120_000;
const maxLogBytes = 1_000_000;

/**
 * Starts the server and resolves once it accepts connections; throws with the server's own message if it fails to
 * start.
 */
export async function startServer(
  cluster: Cluster,
  binaries: Binaries,
  settings: Record<string, string>,
): Promise<ServerProcess> {
  const logStart = prepareLog(cluster.logFile);
  const server = await launch(cluster, binaries, settings);
  for (let waited = 0; waited < startTimeoutMs; waited += 5) {
    if (server.hasEnded()) throw internal(`Postgres did not start:\n${readLog(cluster.logFile, logStart)}`);
    const file = readPostmasterFile(cluster.folder);
    if (file?.pid === server.pid && file.ready) return server;
    await sleep(5);
  }
  await server.stop();
  throw internal(
    `Postgres did not start within ${startTimeoutMs / 1_000} s:\n${readLog(cluster.logFile, logStart)}`,
  );
}

async function launch(
  cluster: Cluster,
  binaries: Binaries,
  settings: Record<string, string>,
): Promise<ServerProcess> {
  const place = openPlace(cluster.folder, cluster.account);
  const log = openSync(cluster.logFile, 'a', 0o600);
  try {
    const child = spawn(binaries.postgres, serverArguments(place.path, settings), {
      ...cluster.account,
      cwd: '/',
      env: {},
      // In a session of its own: Ctrl-C in the terminal goes to the home, which shuts Postgres down last.
      detached: true,
      stdio: ['ignore', log, log, place.descriptor],
    });
    return await asServer(child, binaries.postgres);
  } finally {
    place.close();
    closeSync(log);
  }
}

function serverArguments(folder: string, settings: Record<string, string>): string[] {
  return ['-D', folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function asServer(child: ChildProcess, program: string): Promise<ServerProcess> {
  let over = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      over = true;
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notRunnable(program, error)));
    child.once('spawn', () => {
      const pid = child.pid!;
      resolve({ pid, ended, hasEnded: () => over, stop: () => endServer(pid, () => over) });
    });
  });
}

/** Returns where this run begins in the log; a log that has grown too long starts over. */
function prepareLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxLogBytes) return size;
  closeSync(openSync(file, 'w', 0o600));
  return 0;
}

function readLog(file: string, from: number): string {
  try {
    return readFileSync(file).subarray(from).toString('utf8').trim().slice(-2_000);
  } catch {
    return `(its log ${file} cannot be read)`;
  }
}
