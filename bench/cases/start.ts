import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@hearth/testkit/free-port';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Memory, memoryOf } from '../lib/processes.ts';

const root = join(import.meta.dirname, '..', '..');
const startTimeoutMs = 60_000;
const ways = {
  directly: [process.execPath, ['--no-warnings', join('services', 'home', 'src', 'main.ts')]],
  'npm start': ['npm', ['start', '--silent']],
} as const;

interface Started {
  readyMs: number;
  memory: Memory;
}

/** How long a home takes to become ready, without data and with its own, and its memory then. */
export const start: Case = {
  name: 'start',
  about: 'the first start (fresh data folder) and the second, until `ready`; memory of the idle home',
  async run(bench) {
    const figures: Figure[] = [];
    for (const way of Object.keys(ways) as (keyof typeof ways)[])
      figures.push(...(await measure(bench, way)));
    return { figures };
  },
};

async function measure(bench: Bench, way: keyof typeof ways): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-start-'));
  try {
    const first = await startOnce(way, folder, 0);
    const second = await startOnce(way, folder, bench.quick ? 1_000 : 5_000);
    const seconds = (started: Started) => started.readyMs / 1_000;
    const megabytes = (bytes: number) => bytes / 2 ** 20;
    return [
      { name: `${way}: first start`, value: seconds(first), unit: 's', mark: { atMost: 8 } },
      { name: `${way}: second start`, value: seconds(second), unit: 's', mark: { atMost: 3 } },
      // Postgres's processes share buffers, which RSS would count once for each.
      {
        name: `${way}: memory, shared pages once (PSS)`,
        value: megabytes(second.memory.pss),
        unit: 'MB',
        mark: { atMost: 250 },
      },
      { name: `${way}: memory, added up (RSS)`, value: megabytes(second.memory.rss), unit: 'MB' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOnce(way: keyof typeof ways, folder: string, idleMs: number): Promise<Started> {
  const [program, args] = ways[way];
  const port = await freePort();
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: `${port}`,
      HEARTH_DATA: join(folder, 'data'),
      // The first start after an installation has no compile cache.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await saysReady(child);
    const readyMs = performance.now() - began;
    await sleep(idleMs);
    return { readyMs, memory: memoryOf([{ name: 'home', pid: child.pid! }]) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function saysReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(
      () => reject(new Error(`the home was not ready in time: ${said}`)),
      startTimeoutMs,
    );
    const receive = (chunk: Buffer) => {
      said += chunk.toString();
      if (!/^ready http/m.test(said)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout!.on('data', receive);
    child.stderr!.on('data', receive);
    child.once('exit', () => reject(new Error(`the home ended: ${said}`)));
  });
}
