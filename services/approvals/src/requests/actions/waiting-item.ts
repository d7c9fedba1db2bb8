import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findItem, type ItemRow } from '../db/items.ts';
import { type Kind, readItemId } from './sources.ts';
import { viewing } from './viewer.ts';

/** An item that waits for the caller. */
export interface WaitingItem {
  kind: Kind;
  /** Its parts that wait for them: at least one. */
  parts: [ItemRow, ...ItemRow[]];
  /** uuids of the senders by whom it counts. */
  senders: string[];
}

/** @throws not_found for an item that the caller may not settle */
export async function waitingItem(
  { asks, clock, database, kinds }: Context,
  given: string,
  { caller }: { caller: Caller },
): Promise<WaitingItem> {
  const viewer = viewing(caller);
  // A reference leads to an ask of another home, until other kinds come from there.
  const text = given.startsWith('r:')
    ? printId('apr', (await asks().findVisible(given, caller)).approval.id)
    : given;
  const { name, kind, id } = readItemId(kinds, text);
  const { atDoor } = kind;
  const [first, ...others] =
    viewer === null
      ? []
      : await findItem(database.db, viewer, { kind: name, id }, { now: nowDate(clock), atDoor });
  if (first === undefined) throw notFound();
  return { kind, parts: [first, ...others], senders: first.senders.slice(0, kind.senders) };
}
