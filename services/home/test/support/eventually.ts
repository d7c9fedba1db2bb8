import { setTimeout as sleep } from 'node:timers/promises';

/** The first result of `look` that is not undefined. */
export async function eventually<Found>(
  look: () => Found | undefined | Promise<Found | undefined>,
  timeoutMs = 10_000,
): Promise<Found> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`not within ${timeoutMs} ms`);
    await sleep(20);
  }
}
