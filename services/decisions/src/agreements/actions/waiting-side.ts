import { notFound } from '@hearth/errors';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import { type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type AgreementRow, findAgreements } from '../db/agreements.ts';
import type { Side } from '../domain/agreement.ts';
import { copied } from './copied.ts';

/** A side at which an agreement waits in a list of the caller's. */
export interface WaitingSide {
  row: AgreementRow;
  part: number;
  side: Side;
}

/** Those of the items that wait for the caller. */
export async function waitingSides(
  { copies, database }: Pick<Context, 'copies' | 'database'>,
  keys: readonly ItemKey[],
  caller: Caller,
): Promise<WaitingSide[]> {
  const ids = keys.map(({ id }) => id);
  const [rows, others] = await Promise.all([findAgreements(database.db, ids), copies.byIds(ids)]);
  const byId = new Map([...rows, ...others.map(copied)].map((row) => [row.id, row]));
  return keys.flatMap(({ id, part }) => {
    const row = byId.get(id);
    const side = row?.sides[part];
    return row !== undefined && side !== undefined && waitsForCaller(row, side, caller)
      ? [{ row, part, side }]
      : [];
  });
}

/** @throws not_found for an item that does not wait for the caller */
export async function waitingSide(
  context: Pick<Context, 'copies' | 'database'>,
  keys: readonly ItemKey[],
  caller: Caller,
): Promise<WaitingSide> {
  const [first] = await waitingSides(context, keys, caller);
  if (first === undefined) throw notFound();
  return first;
}

function waitsForCaller(
  { status }: AgreementRow,
  { box, gone, holder, person }: Side,
  caller: Caller,
): boolean {
  if (status !== 'open' || gone || (box !== 'requests' && box !== 'front_door')) return false;
  // An item at the front door is shown to the AI there, and to the person.
  return holder === caller.id || (personOf(caller) === person && (holder === null || caller.id === person));
}
