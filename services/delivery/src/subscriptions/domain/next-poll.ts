const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** A group counts as live for this long after it last woke the AI. */
const liveMs = 10 * minute;

/**
 * Returns the delay until a polling AI should ask again: short while a group is live, long after a day
 * without wake-ups.
 */
export function nextPollMs(
  stream: { created_at: Date; last_at: Date | null; last_group_at: Date | null },
  now: number,
): number {
  const { created_at, last_at, last_group_at } = stream;
  if (last_group_at !== null && now - last_group_at.getTime() < liveMs) return 5 * second;
  const idleSince = Math.max(created_at.getTime(), last_at?.getTime() ?? 0);
  return now - idleSince >= day ? 300 * second : 30 * second;
}
