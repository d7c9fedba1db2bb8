/** A time zone by the IANA name that was given, in its usual spelling; null for any other text. */
export function zoneNamed(text: string): string | null {
  // Offsets such as +01:00 are zones to Intl, and know no summer time.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    // Intl would put Asia/Katmandu in the place of Asia/Kathmandu.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}
