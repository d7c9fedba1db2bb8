import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@hearth/clock';
import { openDatabase } from '../database.ts';
import type { Account } from './account.ts';

export const isRoot = process.geteuid?.() === 0;
export const nobody: Account = { uid: 65534, gid: 65534 };

/** A home in a process of its own (test-home.ts). */
export interface TestHome {
  process: ChildProcess;
  answer: { url: string; pid: number; error?: string };
  /** Sends the home a word, and waits for its exit. */
  end(word: 'stop' | 'leave'): Promise<number | null>;
  kill(): Promise<void>;
}

export async function startHome(
  folder: string,
  options: { account?: Account; packageFolder?: string } = {},
): Promise<TestHome> {
  const args = ['--no-warnings', join(import.meta.dirname, 'test-home.ts'), folder];
  if (options.packageFolder !== undefined) args.push(options.packageFolder);
  const home = spawn(process.execPath, args, {
    ...options.account,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(home, 'exit') as Promise<[number | null]>;
  const [line] = (await once(createInterface(home.stdout!), 'line')) as [string];
  return {
    process: home,
    answer: JSON.parse(line),
    async end(word) {
      home.stdin!.write(`${word}\n`);
      return (await exit)[0];
    },
    async kill() {
      home.kill('SIGKILL');
      await exit;
    },
  };
}

/** Whether a process runs, and is not just a zombie. */
export function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Runs a statement on that server over a separate connection. */
export async function ask<Row>(url: string, text: string): Promise<Row[]> {
  const database = openDatabase({ url, clock: systemClock, maxConnections: 1 });
  try {
    return await database.statement((tx) => tx.query<Row>({ text }));
  } finally {
    await database.close();
  }
}

/** In memory if the machine has such a folder: initdb and its fsync take a tenth of the time there. */
export function temporaryFolder(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hearth-embedded-'));
}

export const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
