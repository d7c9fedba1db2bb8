import { nowDate } from '@hearth/clock';
import type { ItemsChanged } from '@hearth/proto/events/v1/events';
import type { Context } from '../context.ts';
import { type Lists, writeItems } from '../db/items.ts';
import { requestsTopic, rowsOf } from '../domain/items.ts';

/** Writes what sources placed and closed, and wakes the readers of these lists. Repeated it changes nothing. */
export async function noteChanges(
  { clock, commit }: Pick<Context, 'clock' | 'commit'>,
  changes: readonly Pick<ItemsChanged, 'placed' | 'closed'>[],
): Promise<void> {
  const { placed, closed } = rowsOf(changes);
  if (placed.length === 0 && closed.length === 0) return;
  await commit.statement(async (tx) => {
    const lists = await writeItems(tx, { placed, closed, at: nowDate(clock) });
    tx.wake(...topicsOf(lists));
  });
}

export function topicsOf(lists: readonly Lists[]): string[] {
  const ids = lists.flatMap(({ owner, holder }) => [owner, holder]).filter((id) => id !== null);
  return [...new Set(ids)].map(requestsTopic);
}
