import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { itemChanges } from '../domain/items.ts';
import type { Act } from '../domain/machine.ts';
import { changeCopy } from './change-copy.ts';
import { doErrands, endQuestions } from './errands.ts';
import type { WaitingSide } from './waiting-side.ts';

type PlaceAct = Extract<Act, { kind: 'place' | 'decline' }>;

/** Changes the list in which an agreement stands for a side, or ends it there, with what follows from that. */
export async function changeItem(
  context: Context,
  { row, side }: Pick<WaitingSide, 'row' | 'side'>,
  act: PlaceAct,
  by: Caller | undefined,
): Promise<AgreementRow> {
  if (row.reference !== undefined) return (await changeCopied(context, row.id, side.ai, act)) ?? row;
  const { state } = await context.agreements.act(row.id, () => ({ act: { ...act, ai: side.ai }, by }));
  await context.items.note(itemChanges(row, state));
  await endQuestions(context, state);
  return await doErrands(context, state);
}

/** The no of a person goes to the home of the agreement, which their side sees no more of. */
async function changeCopied(context: Context, id: string, ai: string, act: PlaceAct) {
  if (act.kind === 'place') return await changeCopy(context, id, { ...act, ai });
  const no = { noAt: context.clock.now(), noWords: act.reason };
  return await changeCopy(context, id, { kind: 'place', ai, box: 'refused' }, no);
}
