import { hour, minute, second } from '@hearth/clock';

/** The waits before the first attempt and after each failure, for events and callbacks. */
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

/** The jitter, so that what failed together is not retried together. */
const spread = 0.1;

/**
 * Milliseconds before the next attempt; null if there is none.
 *
 * @param attempts the number made so far
 * @param chance 0 to 1: the place within the jitter of ±10 %
 * @param retryAfterMs the other side's Retry-After, if any: a lower bound, capped at a day
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

/** The most attempts. */
export const mostAttempts = waits.length;
