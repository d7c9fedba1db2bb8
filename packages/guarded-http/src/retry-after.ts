/**
 * Milliseconds from a Retry-After header (seconds or a date); null if it is absent, invalid or not in the
 * future.
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) || at <= now ? null : at - now;
}
