import type { RecipientRow } from '../db/recipients.ts';

/** A recipient, as far as their guardianship goes. */
export type GuardedPlace = Pick<RecipientRow, 'position' | 'recipient' | 'person' | 'decision' | 'guards'>;

/** The people who answer for a child from now on: uuids. */
export interface Guardianship {
  child: string;
  /** Their guardians, the responsible one first; once the child is of age, the child. */
  answering: readonly string[];
  /** The guardians who block the asker. */
  keptAway: ReadonlySet<string>;
  /** The asker, and the person behind it. */
  askers: readonly (string | null)[];
}

export interface GuardianMove {
  /** Position of a place -> uuid of the person who has it from now on. */
  moves: Map<number, string>;
  /** uuids of those who are asked as well from now on. */
  added: string[];
  /** Positions of places that no one takes, beside other recipients. */
  removed: number[];
  /** Positions of places that no one takes and that are all there is. */
  dropped: number[];
}

/**
 * Moves the places of former guardians of a child. A guardian who is asked in the child's place hands the place to the next
 * guardian; several who are asked about the child each hand it to a guardian who is not asked yet, and further guardians are
 * asked as well. An asker never gets their own ask: when the asker guards the child by now, it goes straight to the child.
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
  const isAbout = places.some(({ guards, recipient }) => guards === child && recipient !== child);
  const added = isAbout ? newcomers.filter((newcomer) => newcomer !== child) : [];
  const left = untaken.length < places.length + added.length;
  return { moves, added, removed: left ? untaken : [], dropped: left ? [] : untaken };
}
