/**
 * Decides when the document of another home is fetched (docs/protocol/home-document.md, "Reading a
 * document"). Times are milliseconds since 1970.
 */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The parts of a home's state that the plan needs. */
export interface Fetched {
  /** Whether a document was ever accepted. */
  everGood: boolean;
  /** Whether the current document has not expired. */
  holds: boolean;
  freshUntil: number;
  retryAt: number;
}

/**
 * - `use`: the document is about to be relied on
 * - `unknown_key`: a request names a key that the document does not list as good
 * - `heard`: the home announced a newer document
 * - `due`: the document is a day old
 * - `operator`
 */
export type FetchReason = 'use' | 'unknown_key' | 'heard' | 'due' | 'operator';

/** By time only; `fetch-budget.ts` limits how often others can cause a fetch. */
export function mayFetch({ holds, freshUntil, retryAt }: Fetched, why: FetchReason, now: number) {
  if (why === 'operator') return true;
  if (retryAt > now) return false;
  return why !== 'use' || !holds || freshUntil <= now;
}

/** Freshness from max-age, between a minute and an hour; an hour without max-age. */
export function freshForMs(cacheControl: string | undefined): number {
  const [, given] = /(?:^|[\s,])max-age=(\d{1,10})(?:[\s,]|$)/i.exec(cacheControl ?? '') ?? [];
  if (given === undefined) return hour;
  return Math.min(Math.max(Number(given) * second, minute), hour);
}

/** How long a failed fetch is remembered. */
export function rememberedForMs(everGood: boolean): number {
  return (everGood ? 2 : 10) * minute;
}

/** Delay until the next refresh, so that no key change is missed; spread randomly over the homes. */
export function dueAfterMs(failed: boolean, chance: number): number {
  return failed ? hour + chance * hour : day - chance * 4 * hour;
}
