const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after the ask's end, and then after each failure, a callback is tried. */
const waits = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** How much a wait may differ, so that what failed together does not come back together. */
const spread = 0.1;

/**
 * How many milliseconds to wait before the next attempt, or null when there is none.
 *
 * @param attempts how many were made
 * @param chance 0 to 1: where in the spread of 10 % to both sides it falls
 * @param retryAfterMs what the other side asked for, when it did: never earlier than that, within a day
 */
export function waitBefore(
  attempts: number,
  chance: number,
  retryAfterMs: number | null = null,
): number | null {
  const wait = waits[attempts];
  if (wait === undefined) return null;
  const jittered = Math.round(wait * (1 - spread + 2 * spread * chance));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, 24 * hour));
}

/** How many attempts there are at most. */
export const mostAttempts = waits.length;

/** The milliseconds of a Retry-After header: seconds, or a date; null when it says nothing. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) || at <= now ? null : at - now;
}
