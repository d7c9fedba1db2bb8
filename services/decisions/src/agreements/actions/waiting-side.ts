import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import { type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import type { AgreementParty } from '../domain/agreement.ts';
import { waitsInList } from '../domain/items.ts';
import { findBoth } from './copied.ts';

/** A side whose agreement waits in one of the caller's request lists. */
export interface WaitingSide {
  row: AgreementRow;
  part: number;
  side: AgreementParty;
}

/** The sides of these items that wait for the caller. */
export async function waitingSides(
  context: Pick<Context, 'copies' | 'database'>,
  keys: readonly ItemKey[],
  caller: Caller,
): Promise<WaitingSide[]> {
  const rows = await findBoth(
    context,
    keys.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return keys.flatMap(({ id, part }) => {
    const row = byId.get(id);
    const side = row?.sides[part];
    return row !== undefined && side !== undefined && waitsForCaller(row, side, caller)
      ? [{ row, part, side }]
      : [];
  });
}

/** @throws not_found unless the first item waits for the caller */
export async function waitingSide(
  context: Pick<Context, 'copies' | 'database'>,
  keys: readonly ItemKey[],
  caller: Caller,
): Promise<WaitingSide> {
  const [first] = await waitingSides(context, keys, caller);
  if (first === undefined) throw notFound();
  return first;
}

function waitsForCaller(row: AgreementRow, side: AgreementParty, caller: Caller): boolean {
  if (!waitsInList(row, side)) return false;
  const { holder, person } = side;
  // An item at the front door is visible to the AI there and to the owner.
  return holder === caller.id || (personOf(caller) === person && (holder === null || caller.id === person));
}
