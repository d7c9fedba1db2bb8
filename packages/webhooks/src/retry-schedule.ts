import { hour, minute, second } from '@hearth/clock';

/** How long after it happened, and then after each failure, an event or a callback is sent. */
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
export function backoffBefore(
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
