/**
 * How long an answer asks to wait with its header Retry-After (seconds, or a date), in milliseconds. Null when it does
 * not, or says nothing that can be read.
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) || at <= now ? null : at - now;
}
