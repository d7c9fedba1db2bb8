import { setTimeout } from 'node:timers/promises';

const firstPauseMs = 20;
const longestPauseMs = 250;

/**
 * Polls with backoff until the condition holds or time is up; returns the last result.
 *
 * @param until in terms of `performance.now()`
 */
export async function poll<Thing>(
  until: number,
  find: () => Promise<Thing | null>,
  isSo: (thing: Thing) => boolean,
): Promise<Thing | null> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const found = await find();
    if (found === null || isSo(found) || performance.now() + pause > until) return found;
    await setTimeout(pause);
  }
}
