import type { SentWord } from './db.ts';

/** A value that a person gave by an act, with the result of the act. */
export interface Given<Value> {
  value: Value;
  status: number | null;
}

/** The value that a person gave last, as far as this home can know. */
export interface LastSaid<Value> {
  /** Values that the other home may state: the last accepted one, and any sent since. */
  allowed: readonly Value[];
  /** The value to show if the other home states any other. */
  shown: Value;
}

const isTaken = ({ status }: Given<unknown>) => status !== null && status >= 200 && status < 300;
/** There is no result, or one that leaves open whether the act was carried out. */
const isOpen = ({ status }: Given<unknown>) => status === null || status < 200 || status >= 500;

/**
 * Finds the current value: once a later value was accepted, earlier ones no longer count.
 *
 * @param given oldest first
 * @returns null if they gave none
 */
export function lastSaid<Value>(given: readonly Given<Value>[]): LastSaid<Value> | null {
  const last = given.at(-1);
  if (last === undefined) return null;
  const taken = given.findLast(isTaken);
  const from = taken === undefined ? 0 : given.indexOf(taken);
  const allowed = given.slice(from).filter((said) => said === (taken ?? last) || isOpen(said));
  return { allowed: allowed.map(({ value }) => value), shown: (taken ?? last).value };
}

/** Finds the current value among those that `of` reads from a person's acts. */
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
