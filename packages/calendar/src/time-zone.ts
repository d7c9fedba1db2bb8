/** A time zone by its IANA name, in its usual spelling; null for any other text. */
export function zoneNamed(text: string): string | null {
  // Offsets such as +01:00 are zones to Intl, and know no summer time.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
