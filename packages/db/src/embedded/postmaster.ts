import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../types.ts';

/** The content of `postmaster.pid` in a cluster's folder, about the server that runs on it. */
export interface PostmasterFile {
  pid: number;
  port: number | null;
  ready: boolean;
}

/** Reads the text of a `postmaster.pid`; null if it is malformed, such as half written. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim());
  if (!/^\d{1,10}$/.test(lines[0] ?? '')) return null;
  const pid = Number(lines[0]);
  if (pid <= 1) return null;
  const port = /^\d{1,5}$/.test(lines[3] ?? '') ? Number(lines[3]) : null;
  return { pid, port, ready: lines[7] === 'ready' };
}

export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    return parsePostmasterFile(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is a Postgres server on this cluster, rather than another process that reused the id. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    // A postmaster's working directory is its cluster.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return /postgres/.test(execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

/**
 * Ends a server that an earlier home left running on the cluster (because it was killed), and removes the files of a
 * dead server, so that the next one can start. Resolves once the folder is free.
 */
export async function endLeftover(cluster: string, log: Log): Promise<void> {
  const left = readPostmasterFile(cluster);
  if (left !== null && isPostmasterOf(cluster, left.pid)) {
    log.warn({ pid: left.pid }, 'ending the Postgres that an earlier home left running');
    await endServer(left.pid, () => !isPostmasterOf(cluster, left.pid));
  }
  for (const name of readdirSync(cluster)) {
    // Sockets of killed servers; each start has another port, which names its socket.
    if (name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'))
      rmSync(join(cluster, name), { force: true });
  }
}

/** The time for each way of ending: fast shutdown, immediate shutdown, and SIGKILL. */
const steps = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 4_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const;

/**
 * Ends a postmaster: a shutdown that aborts transactions and writes everything out, then harder ways if that takes too
 * long.
 */
export async function endServer(pid: number, hasEnded: () => boolean): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (hasEnded()) return;
    try {
      process.kill(pid, signal);
    } catch {
      // Already ended; the loop below notices.
    }
    for (let waited = 0; waited < waitMs; waited += 5) {
      if (hasEnded()) return;
      await sleep(5);
    }
  }
}
