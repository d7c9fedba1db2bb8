const form = /^\d{4}-\d\d-(\d\d)T(\d\d):\d\d:\d\d(?:\.(\d{1,9}))?Z$/;
const nanosInMilli = 1_000_000n;

/**
 * Parses an ISO 8601 time in UTC with its `Z` into nanoseconds since 1970; null unless it is a real date with hour 00
 * to 23, second 00 to 59 and at most nine digits of a fraction.
 */
export function instantOf(text: unknown): bigint | null {
  const read = readTime(text);
  return read && nanosOf(read.seconds) + BigInt(read.fraction.padEnd(9, '0'));
}

/** The same in milliseconds since 1970, further digits cut off; null for anything else. */
export function parseInstant(text: unknown): number | null {
  const read = readTime(text);
  return read && read.seconds + Number(read.fraction.slice(0, 3).padEnd(3, '0'));
}

/** Returns the whole seconds of such a time, in milliseconds, and the digits of its fraction. */
function readTime(text: unknown): { seconds: number; fraction: string } | null {
  if (typeof text !== 'string') return null;
  const [, day, hour, fraction = ''] = form.exec(text) ?? [];
  const date = new Date(day === undefined ? Number.NaN : `${text.slice(0, 19)}Z`);
  // Date turns 30 February into 2 March, and hour 24 into the next day; another reader would refuse both.
  if (date.getUTCDate() !== Number(day) || date.getUTCHours() !== Number(hour)) return null;
  return { seconds: date.getTime(), fraction };
}

export function nanosOf(milliseconds: number): bigint {
  return BigInt(milliseconds) * nanosInMilli;
}
