import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from './patience.ts';

/** Looks until it finds something or it holds: until the answer is neither undefined nor false. Fails after so many seconds. */
export async function eventually<Found>(
  look: () => Found | Promise<Found>,
  seconds = patienceMs / 1_000,
): Promise<Exclude<Found, undefined | false>> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<Found, undefined | false>;
    if (performance.now() > end) throw new Error(`still not so after ${seconds} s: ${look}`);
    await sleep(10);
  }
}

/** Tries until it passes, and answers with what it answered; after so many seconds it fails as the last try did. */
export async function follows<Found>(
  attempt: () => Promise<Found>,
  seconds = patienceMs / 1_000,
): Promise<Found> {
  const end = performance.now() + seconds * 1_000;
  const { found } = await eventually(async () => {
    try {
      return { found: await attempt() };
    } catch (error) {
      if (performance.now() > end) throw error;
      return false;
    }
  }, seconds + 5);
  return found;
}
