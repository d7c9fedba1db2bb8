import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { itemChanges } from '../domain/items.ts';
import type { Act, SideAct } from '../domain/machine.ts';
import { changeCopy } from './change-copy.ts';
import { doErrands, endQuestions } from './errands.ts';

/** Changes an agreement of this home or of another one as `choose` says, with what follows from that. */
export async function change(
  context: Context,
  row: AgreementRow,
  choose: (now: AgreementRow) => SideAct | null,
  by?: Caller,
): Promise<AgreementRow> {
  if (row.reference === undefined) return await changeHere(context, row.id, choose, by);
  return (await changeCopy(context, row.id, choose)) ?? row;
}

/** The same of one of this home. @param id uuid */
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

/** A side that is let in is told of it, and a new owner is asked. */
const reaches = (act: Act | null) => act?.kind === 'place' || act?.kind === 'pass on';
