import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until it finds something or it holds: until the answer is neither undefined nor false. Fails after so many seconds. */
export async function eventually<Found>(
  look: () => Found | Promise<Found>,
  seconds = 20,
): Promise<Exclude<Found, undefined | false>> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<Found, undefined | false>;
    if (performance.now() > end) throw new Error(`still not so after ${seconds} s: ${look}`);
    await sleep(10);
  }
}
