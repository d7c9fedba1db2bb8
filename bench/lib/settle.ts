import { setTimeout as sleep } from 'node:timers/promises';
import { machineCpuUs } from './processes.ts';

/** Resolves once `done` is true, or after that many milliseconds, with its last result. */
export async function eventually(done: () => boolean, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (!done()) {
    if (performance.now() > until) return false;
    await sleep(10);
  }
  return true;
}

/** Runs `work` for every item, that many at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const keep = async (lane: number) => {
    while (next < items.length) {
      const index = next++;
      await work(items[index]!, index, lane);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, (_, lane) => keep(lane)));
}

/** Cores that other work may use while the machine still counts as quiet. */
const quietCores = 0.2;

/** Waits, at most that long, until the machine is quiet: latencies are unreliable before. */
export async function quietMachine(timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const before = machineCpuUs();
    const began = performance.now();
    await sleep(1_000);
    const cores = (machineCpuUs() - before) / 1_000 / (performance.now() - began);
    if (cores < quietCores || performance.now() > until) return;
  }
}
