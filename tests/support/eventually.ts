import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from '@hearth/testkit/patience';

/** Looks again until `holds`, for what one process tells another; throws with what was seen last. */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  { withinMs = patienceMs, everyMs = 20 } = {},
): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > until)
      throw new Error(`still not so after ${withinMs} ms: ${JSON.stringify(seen)}`);
    await sleep(everyMs);
  }
}

/** The place in the list of the one that ends first. */
export const firstOf = (works: readonly Promise<unknown>[]): Promise<number> =>
  Promise.race(works.map((work, place) => work.then(() => place)));

/** The result of `work`, and how long it took in milliseconds. */
export async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work;
  return { result, ms: performance.now() - began };
}
