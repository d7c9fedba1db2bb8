import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { itemChanges } from '../domain/items.ts';
import type { Act } from '../domain/machine.ts';
import { doErrands, endQuestions } from './errands.ts';
import type { WaitingSide } from './waiting-side.ts';

/** Changes the list in which an agreement stands for a side, or ends it there, with what follows from that. */
export async function changeItem(
  context: Context,
  { row, side }: Pick<WaitingSide, 'row' | 'side'>,
  act: Extract<Act, { kind: 'place' | 'decline' }>,
  by: Caller | undefined,
): Promise<AgreementRow> {
  const { state } = await context.agreements.act(row.id, () => ({ act: { ...act, ai: side.ai }, by }));
  await context.items.note(itemChanges(row, state));
  await endQuestions(context, state);
  return await doErrands(context, state);
}
