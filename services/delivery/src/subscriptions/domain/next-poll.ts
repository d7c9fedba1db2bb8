import { day, minute, second } from '@hearth/clock';
import type { StreamRow } from '../../streams/db/streams.ts';

/** A group counts as live for so long after something of it woke the AI. */
const liveMs = 10 * minute;

/** When an AI that polls shall ask again: soon while a group is live, seldom when nothing happened for a day. */
export function nextPollMs(
  stream: Pick<StreamRow, 'created_at' | 'last_at' | 'last_group_at'>,
  now: number,
): number {
  const { created_at, last_at, last_group_at } = stream;
  if (last_group_at !== null && now - last_group_at.getTime() < liveMs) return 5 * second;
  const idleSince = Math.max(created_at.getTime(), last_at?.getTime() ?? 0);
  return now - idleSince >= day ? 300 * second : 30 * second;
}
