const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,9}))?Z$/;
const nanosInMilli = 1_000_000n;

/**
 * Nanoseconds since 1970 of an ISO 8601 time in UTC with its `Z`, else null: a real date, hour 00 to 23, second 00 to
 * 59, at most nine digits of a fraction, of which each counts.
 */
export function instantOf(text: unknown): bigint | null {
  const fraction = typeof text === 'string' ? form.exec(text)?.[1] : undefined;
  if (typeof text !== 'string' || !form.test(text)) return null;
  const seconds = Date.parse(`${text.slice(0, 19)}Z`);
  // Date.parse makes 2 March of 30 February, and the next day of hour 24, which another reader would refuse.
  if (Number.isNaN(seconds) || !new Date(seconds).toISOString().startsWith(text.slice(0, 19))) return null;
  return nanosOf(seconds) + BigInt((fraction ?? '').padEnd(9, '0'));
}

/** Milliseconds since 1970 of such a time, the rest of its digits cut off; null for anything else. */
export function parseInstant(text: unknown): number | null {
  const instant = instantOf(text);
  if (instant === null) return null;
  // Division of bigints goes towards zero, which lies the wrong way before 1970.
  const rest = ((instant % nanosInMilli) + nanosInMilli) % nanosInMilli;
  return Number((instant - rest) / nanosInMilli);
}

export function nanosOf(milliseconds: number): bigint {
  return BigInt(milliseconds) * nanosInMilli;
}
