const dayMs = 86_400_000;

/** The Monday of a moment's ISO week in UTC, YYYY-MM-DD: the week that caps count by. */
export function weekOf(moment: number): string {
  // 1 January 1970 was a Thursday.
  const day = Math.floor(moment / dayMs);
  const sinceMonday = (((day + 3) % 7) + 7) % 7;
  return new Date((day - sinceMonday) * dayMs).toISOString().slice(0, 10);
}
