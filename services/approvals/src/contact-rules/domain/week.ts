const dayMs = 86_400_000;

/** The Monday of the ISO week of a moment, in UTC: YYYY-MM-DD. Weekly caps count by it. */
export function weekOf(moment: number): string {
  // 1 January 1970 was a Thursday.
  const day = Math.floor(moment / dayMs);
  const sinceMonday = (((day + 3) % 7) + 7) % 7;
  return new Date((day - sinceMonday) * dayMs).toISOString().slice(0, 10);
}
