import { nowDate } from '@hearth/clock';
import type { ItemsChanged } from '@hearth/proto/events/v1/events';
import type { Context } from '../context.ts';
import { type Lists, writeItems } from '../db/items.ts';
import { requestsTopic, rowsOf } from '../domain/items.ts';

type Deps = Pick<Context, 'clock' | 'commit'>;

/** Writes the items that sources placed and closed, and wakes their lists. Idempotent. */
export async function noteChanges(deps: Deps, changes: readonly ItemsChanged[]): Promise<void> {
  await write(deps, changes, { moves: false, before: [] });
}

/**
 * Writes the state of items that their source returned.
 *
 * @param before the lists that showed the items
 */
export async function writeAnswer(
  deps: Deps,
  change: ItemsChanged | undefined,
  before: readonly Lists[] = [],
): Promise<void> {
  await write(deps, change === undefined ? [] : [change], { moves: true, before });
}

async function write(
  { clock, commit }: Deps,
  changes: readonly ItemsChanged[],
  { moves, before }: { moves: boolean; before: readonly Lists[] },
): Promise<void> {
  const { placed, closed } = rowsOf(changes);
  if (placed.length === 0 && closed.length === 0) return;
  await commit.statement(async (tx) => {
    const lists = await writeItems(tx, { placed, closed, at: nowDate(clock), moves });
    tx.wake(...topicsOf([...before, ...lists]));
  });
}

function topicsOf(lists: readonly Lists[]): string[] {
  const ids = lists.flatMap(({ owner, holder }) => [owner, holder]).filter((id) => id !== null);
  return [...new Set(ids)].map(requestsTopic);
}
