/** Somebody who is asked, as far as their guardianship goes. */
export interface GuardedPlace {
  position: number;
  /** uuid of who is asked. */
  recipient: string | null;
  /** uuid of the person whose word counts. */
  person: string | null;
  decision: 'waiting' | 'approved' | 'declined';
  /** uuid of somebody under 18 in whose place, or about whom, they are asked. */
  guards: string | null;
}

/** Who answers for somebody from now on: uuids. */
export interface Guardianship {
  child: string;
  /** Their guardians, the one whose word counts first; of age, themselves. */
  answering: readonly string[];
  /** Those of them who block who asked. */
  keptAway: ReadonlySet<string>;
  /** Who asked, and the person behind it. */
  askers: readonly (string | null)[];
}

export interface GuardianMove {
  /** Position of a place -> uuid of whose it is from now on. */
  moves: Map<number, string>;
  /** Positions of places that nobody takes, beside others who are asked. */
  removed: number[];
  /** Positions of places that nobody takes and that are all there is. */
  dropped: number[];
}

/**
 * What becomes of the places of those who guard somebody no more. A guardian who is asked in the place of somebody under 18
 * hands the place on; of several who are asked about somebody each hands it to one who is not asked yet. Who asked is not
 * asked about it: what they wrote to somebody whom they guard themselves by now goes straight there.
 */
export function moveToGuardians(
  places: readonly GuardedPlace[],
  { child, answering, keptAway, askers }: Guardianship,
): GuardianMove {
  const leaving = places.filter(
    ({ guards, decision, person }) =>
      guards === child && decision === 'waiting' && !answering.includes(person ?? ''),
  );
  const free = answering.filter((one) => !keptAway.has(one));
  const newcomers = free.filter(
    (one) => !askers.includes(one) && places.every(({ recipient }) => recipient !== one),
  );
  const moves = new Map<number, string>();
  for (const { position, recipient } of leaving) {
    const next =
      recipient === child ? (free.some((one) => askers.includes(one)) ? child : free[0]) : newcomers.shift();
    if (next !== undefined) moves.set(position, next);
  }
  const untaken = leaving.flatMap(({ position }) => (moves.has(position) ? [] : [position]));
  const left = untaken.length < places.length;
  return { moves, removed: left ? untaken : [], dropped: left ? [] : untaken };
}
