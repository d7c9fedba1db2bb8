import type { Delivered } from './webhooks.ts';

/** The findings of a receiver that deduplicates by event id. */
export interface DeliveredVerdict {
  /** Happened, but never arrived. */
  lost: string[];
  /** Arrived, but had not happened. */
  unexpected: string[];
  /** Arrived under two ids, so that it counts twice. */
  twice: string[];
  /** Had different content the second time. */
  changed: string[];
}

/** Pure, so that the checker itself can be checked. */
export function judgeDelivered(
  expected: readonly string[],
  told: readonly Pick<Delivered, 'id' | 'about' | 'data'>[],
): DeliveredVerdict {
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

export const allDelivered: DeliveredVerdict = { lost: [], unexpected: [], twice: [], changed: [] };
