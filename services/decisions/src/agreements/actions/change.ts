import type { ItemsChange } from '@hearth/items';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { type CopiedAgreement, type CopyAct, nextCopy } from '../domain/copy.ts';
import { agreementChanged } from '../domain/events.ts';
import { itemChanges, itemNews } from '../domain/items.ts';
import type { Act, SideAct } from '../domain/machine.ts';
import { copied, findBoth, keptOf } from './copied.ts';
import { doErrands, endQuestions } from './errands.ts';

/** Changes a local or remote agreement by the act that `choose` returns, then runs the errands that follow. */
export async function change(
  context: Context,
  row: AgreementRow,
  choose: (now: AgreementRow) => SideAct | null,
  by?: Caller,
): Promise<AgreementRow> {
  if (row.reference === undefined) return await changeHere(context, row.id, choose, by);
  return (await changeCopy(context, row.id, choose)) ?? row;
}

/** Calls `change` for each agreement (uuid). */
export async function changeEach(
  context: Context,
  ids: readonly string[],
  choose: (now: AgreementRow) => SideAct | null,
): Promise<void> {
  for (const row of await findBoth(context, ids)) await change(context, row, choose);
}

/** Changes a local agreement (uuid), then runs the errands that follow. */
export async function changeHere(
  context: Context,
  id: string,
  choose: (now: AgreementRow) => Act | null,
  by?: Caller,
): Promise<AgreementRow> {
  const { agreements, items, signing } = context;
  let before: AgreementRow | null = null;
  let act: Act | null = null;
  const { state } = await agreements.act(id, (now) => {
    before = now;
    act = choose(now);
    return act === null ? null : { act, by };
  });
  await items.note(itemChanges(before, state));
  await endQuestions(context, state);
  return await signing.now(reaches(act) ? await doErrands(context, state) : state, by);
}

/**
 * Changes this home's copy of a remote agreement (uuid), then runs the errands that follow; null if nothing
 * changed.
 */
export async function changeCopy(
  context: Context,
  id: string,
  choose: (now: CopiedAgreement) => CopyAct | null,
): Promise<AgreementRow | null> {
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
  return await doErrands(context, copied(after));
}

/** Whether the act creates errands: a side that is let in is notified, a new owner is asked. */
const reaches = (act: Act | null) => act?.kind === 'place' || act?.kind === 'pass on';
