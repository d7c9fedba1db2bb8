import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { patienceMs } from './patience.ts';

export interface Pace {
  withinMs?: number;
  everyMs?: number;
}

/** Looks until it finds something or it holds: until the answer is neither undefined nor false. */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
): Promise<Exclude<Seen, undefined | false>>;
/** Looks until `holds` says yes to what it sees, and answers with that. Throws with what was seen last. */
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

/** Tries until it passes, and answers with what it answered; in the end it fails as the last try did. */
export async function follows<Found>(attempt: () => Promise<Found>): Promise<Found> {
  let failure: unknown;
  const tried = async () => {
    try {
      return { found: await attempt() };
    } catch (error) {
      failure = error;
      return undefined;
    }
  };
  const { found } = await eventually(tried).catch(() => {
    throw failure;
  });
  return found;
}
