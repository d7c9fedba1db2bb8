import type { ItemsChange } from '@hearth/items';
import type { Context } from '../context.ts';
import { type CopiedAgreement, type CopyAct, nextCopy } from '../domain/copy.ts';
import { agreementChanged } from '../domain/events.ts';
import { itemChanges, itemNews } from '../domain/items.ts';
import { copied, keptOf } from './copied.ts';
import { doCopyErrands } from './copy-errands.ts';

/** Changes what this home keeps of an agreement of another one (uuid), with what follows from that; null where nothing changes. */
export async function changeCopy(
  context: Context,
  id: string,
  choose: (now: CopiedAgreement) => CopyAct | null,
): Promise<CopiedAgreement | null> {
  const { clock, copies, items } = context;
  let change: ItemsChange = {};
  const after = await copies.change(id, (tx, copy) => {
    const before = copied(copy);
    const act = choose(before);
    const row = act === null ? before : nextCopy(before, act, clock.now());
    if (row === before) return null;
    change = itemChanges(before, row);
    const isIn = ({ sides }: CopiedAgreement, part: number) => sides[part]?.box === 'inbox';
    const letIn = row.sides.some((_, part) => isIn(row, part) && !isIn(before, part));
    const news = letIn ? [agreementChanged(row, 'started', undefined)] : [];
    tx.announce(...itemNews(before, row), ...news);
    return keptOf(row);
  });
  if (after === null) return null;
  await items.note(change);
  await doCopyErrands(context, id);
  return copied(after);
}
