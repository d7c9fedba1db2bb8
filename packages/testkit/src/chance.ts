/** Creates a random generator with the same choices for the same seed. */
export function createChance(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <One>(of: readonly One[]): One => of[next(of.length)] as One;
  return { next, pick, some: <One>(of: readonly One[]) => of.filter(() => next(2) === 0) };
}

export type Chance = ReturnType<typeof createChance>;
