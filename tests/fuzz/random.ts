/** Reproducible randomness: the same seed gives the same choices. */
export interface Random {
  /** A whole number from 0 to `below`, exclusive. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** A generator for each call, by its number, so that a call's choices do not depend on earlier calls. */
export function createRandom(seed: number, call: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call + 1, 0xc2b2ae35);
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, chance: (probability) => next() < probability, pick: (from) => from[below(from.length)]! };
}
