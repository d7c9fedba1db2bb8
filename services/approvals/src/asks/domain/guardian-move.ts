import type { RecipientRow } from '../db/recipients.ts';

/** The facts of a recipient that concern guardianship. */
export type GuardedPlace = Pick<RecipientRow, 'position' | 'recipient' | 'person' | 'decision' | 'guards'>;

/** The people who answer for a child now: uuids. */
export interface Guardianship {
  child: string;
  /** The guardians, the responsible one first and suspended ones last; the former child, once of age. */
  answering: readonly string[];
  /** Suspended guardians; empty if all are suspended. */
  suspended: readonly string[];
  /** The guardians who block the asker. */
  keptAway: ReadonlySet<string>;
  /** The asker, and the asker's person. */
  askers: readonly (string | null)[];
}

export interface GuardianMove {
  /** Position of a place -> uuid of its new holder. */
  moves: Map<number, string>;
  /** uuids of additional recipients. */
  added: string[];
  /** Positions of places without a new holder, on an ask with other recipients. */
  removed: number[];
  /** Positions of places without a new holder, on an ask without other recipients. */
  dropped: number[];
}

/**
 * Moves the places of a child's former guardians. A guardian who was asked in the child's place hands it to
 * the next guardian. Guardians who were asked about the child each hand their place to a guardian who is not
 * asked yet, and any further guardians are added. While a guardian is suspended, another one takes over the
 * child's own places. An asker never receives their own ask: if the asker has
 * become the guardian, it goes straight to the child.
 */
export function moveToGuardians(
  places: readonly GuardedPlace[],
  { child, answering, suspended, keptAway, askers }: Guardianship,
): GuardianMove {
  const free = answering.filter((one) => !keptAway.has(one));
  const mayStandIn = free.some((one) => !suspended.includes(one));
  const leaving = places.filter(({ guards, decision, person, recipient }) => {
    if (guards !== child || decision !== 'waiting') return false;
    if (!answering.includes(person ?? '')) return true;
    return recipient === child && suspended.includes(person ?? '') && mayStandIn;
  });
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
  const isAbout = places.some(({ guards, recipient }) => guards === child && recipient !== child);
  const added = isAbout ? newcomers.filter((newcomer) => newcomer !== child) : [];
  const left = untaken.length < places.length + added.length;
  return { moves, added, removed: left ? untaken : [], dropped: left ? [] : untaken };
}
