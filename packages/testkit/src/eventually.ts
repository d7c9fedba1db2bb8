import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves once it holds; fails after so many seconds. */
export async function eventually(holds: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not so after ${seconds} s: ${holds}`);
    await sleep(10);
  }
}
