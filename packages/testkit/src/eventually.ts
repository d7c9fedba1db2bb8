import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { patienceMs } from './patience.ts';

export interface Pace {
  withinMs?: number;
  everyMs?: number;
}

/** Polls until the result is neither undefined nor false, and returns it. */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
): Promise<Exclude<Seen, undefined | false>>;
/** Polls until `holds` accepts the result, and returns it. Throws with the last result. */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  holds: (seen: Seen) => boolean,
  pace?: Pace,
): Promise<Seen>;
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  holds: (seen: Seen) => boolean = (seen) => seen !== undefined && seen !== false,
  { withinMs = patienceMs, everyMs = 20 }: Pace = {},
): Promise<Seen> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > end)
      throw new Error(`still not so after ${withinMs} ms: ${look} sees ${inspect(seen, { depth: 6 })}`);
    await sleep(everyMs);
  }
}

/** Retries until `attempt` passes, and returns its result; finally fails with the last attempt's error. */
export async function follows<Found>(attempt: () => Promise<Found>): Promise<Found> {
  let failure: unknown;
  const tryOnce = async () => {
    try {
      return { found: await attempt() };
    } catch (error) {
      failure = error;
      return undefined;
    }
  };
  const { found } = await eventually(tryOnce).catch(() => {
    throw failure;
  });
  return found;
}
