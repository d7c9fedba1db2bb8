import { parseReference } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findItem, type ItemRow } from '../db/items.ts';
import { findSeenMessages } from './find-seen-messages.ts';
import { type Kind, readItemId } from './sources.ts';
import { viewing } from './viewer.ts';

/** An item that waits for the caller. */
export interface WaitingItem {
  kind: Kind;
  /** The parts that wait for the caller: at least one. */
  parts: [ItemRow, ...ItemRow[]];
  /** uuids of the senders that a decision applies to. */
  senders: string[];
}

/** @throws not_found for an item that the caller may not settle */
export async function waitingItem(context: Context, given: string, call: Call): Promise<WaitingItem> {
  const { clock, database, kinds } = context;
  const viewer = viewing(call.caller);
  const { name, kind, id } = readItemId(kinds, await idHere(context, given, call));
  const { atDoor } = kind;
  const [first, ...others] =
    viewer === null
      ? []
      : await findItem(database.db, viewer, { kind: name, id }, { now: nowDate(clock), atDoor });
  if (first === undefined) throw notFound();
  return { kind, parts: [first, ...others], senders: first.senders.slice(0, kind.senders) };
}

/** The local id of an ask or message from another home; any other text unchanged. */
async function idHere({ asks, homeNames, messages }: Context, given: string, call: Call): Promise<string> {
  const reference = parseReference(given, homeNames);
  if (reference === null) return given;
  if (reference.id.startsWith('apr_'))
    return printId('apr', (await asks().findVisible(given, call.caller)).approval.id);
  const found = await findSeenMessages({ messages }, given, call);
  const message = found.find(({ seen }) => seen)?.id;
  return message === undefined ? given : printId('msg', message);
}
