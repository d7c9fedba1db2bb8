/** When the document of another home is fetched (docs/protocol/home-document.md, "Reading a document"). Times are milliseconds since 1970. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The state of a home, as far as the plan looks at it. */
export interface Fetched {
  /** A document of it was taken once. */
  everGood: boolean;
  /** The one that counts has not lapsed. */
  holds: boolean;
  freshUntil: number;
  retryAt: number;
}

/**
 * - `use`: it is about to be relied on
 * - `unknown_key`: a request names a key that it does not list as good
 * - `heard`: the home says that there is a newer one
 * - `due`: a day is over
 * - `operator`
 */
export type FetchReason = 'use' | 'unknown_key' | 'heard' | 'due' | 'operator';

/** By time alone: how often others make it happen is counted apart (`fetch-budget.ts`). */
export function mayFetch({ holds, freshUntil, retryAt }: Fetched, why: FetchReason, now: number) {
  if (why === 'operator') return true;
  if (retryAt > now) return false;
  return why !== 'use' || !holds || freshUntil <= now;
}

/** The seconds of max-age count from a minute to an hour; without one it is an hour. */
export function freshForMs(cacheControl: string | undefined): number {
  const [, given] = /(?:^|[\s,])max-age=(\d{1,10})(?:[\s,]|$)/i.exec(cacheControl ?? '') ?? [];
  if (given === undefined) return hour;
  return Math.min(Math.max(Number(given) * second, minute), hour);
}

/** How long a failure is remembered. */
export function rememberedForMs(everGood: boolean): number {
  return (everGood ? 2 : 10) * minute;
}

/** The pause until a document is fetched unasked, so that no change of keys is missed; spread, so that homes come one by one. */
export function dueAfterMs(failed: boolean, chance: number): number {
  return failed ? hour + chance * hour : day - chance * 4 * hour;
}
