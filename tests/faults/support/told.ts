import type { Told } from './webhooks.ts';

/** What a receiver that knows events by their ids made of what came to it. */
export interface Heard {
  /** Happened, and never came. */
  lost: string[];
  /** Came, and had not happened. */
  unexpected: string[];
  /** Came under two ids, so that it counts twice. */
  twice: string[];
  /** Said something else the second time. */
  changed: string[];
}

/** Pure, so that the checker itself can be checked. */
export function judgeTold(
  expected: readonly string[],
  told: readonly Pick<Told, 'id' | 'about' | 'data'>[],
): Heard {
  const ids = new Map<string, Set<string>>();
  const words = new Map<string, Set<string>>();
  for (const { id, about, data } of told) {
    ids.set(about, (ids.get(about) ?? new Set()).add(id));
    words.set(id, (words.get(id) ?? new Set()).add(data));
  }
  const known = new Set(expected);
  return {
    lost: expected.filter((about) => !ids.has(about)),
    unexpected: [...ids.keys()].filter((about) => !known.has(about)),
    twice: [...ids].filter(([, of]) => of.size > 1).map(([about]) => about),
    changed: [...words].filter(([, of]) => of.size > 1).map(([id]) => id),
  };
}

export const wellHeard: Heard = { lost: [], unexpected: [], twice: [], changed: [] };
