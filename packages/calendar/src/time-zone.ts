/** Returns a time zone in the usual spelling of its IANA name; null for any other text. */
export function zoneNamed(text: string): string | null {
  // Intl also accepts offsets such as +01:00, which have no summer time.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    // Intl would replace Asia/Kathmandu with Asia/Katmandu.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The local time in a zone: YYYY-MM-DDTHH:MM:SS. Everything that shows or computes local times uses this, so all follow
 * the zone rules of
 * this machine's Node.
 *
 * @param at milliseconds since 1970
 */
export function localOf(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('sv-SE-u-ca-iso8601-nu-latn', { ...day, ...clock, timeZone });
    formats.set(timeZone, format);
  }
  return format.format(at).replace(' ', 'T');
}
