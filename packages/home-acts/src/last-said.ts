import type { SentWord } from './db.ts';

/** A value that a person gave by an act, with the result of the act. */
export interface Given<Value> {
  value: Value;
  status: number | null;
}

/** The value that a person gave last, as far as this home can know. */
export interface LastSaid<Value> {
  /** Values that the other home may state: the last one that it took, and any sent since. */
  allowed: readonly Value[];
  /** The value to show where the other home states anything else. */
  shown: Value;
}

const isTaken = ({ status }: Given<unknown>) => status !== null && status >= 200 && status < 300;
/** Without a result, or with one that leaves open whether the act was carried out. */
const isOpen = ({ status }: Given<unknown>) => status === null || status < 200 || status >= 500;

/**
 * Finds the value that stands: an earlier one does not once its home took a later one.
 *
 * @param given the oldest first
 * @returns null where they said nothing of it
 */
export function lastSaid<Value>(given: readonly Given<Value>[]): LastSaid<Value> | null {
  const last = given.at(-1);
  if (last === undefined) return null;
  const taken = given.findLast(isTaken);
  const from = taken === undefined ? 0 : given.indexOf(taken);
  const allowed = given.slice(from).filter((one) => one === (taken ?? last) || isOpen(one));
  return { allowed: allowed.map(({ value }) => value), shown: (taken ?? last).value };
}

/** Finds the value that stands among those that `of` reads from the acts of a person. */
export function lastSaidIn<Value>(
  acts: readonly SentWord[],
  of: (act: SentWord) => Value | undefined,
): LastSaid<Value> | null {
  return lastSaid(
    acts.flatMap((act) => {
      const value = of(act);
      return value === undefined ? [] : { value, status: act.status };
    }),
  );
}
