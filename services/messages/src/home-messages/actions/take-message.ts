import { isHearthError } from '@hearth/errors';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import { HomeMessageSchema } from '@hearth/proto/messages/v1/home_messages';
import type { Call } from '@hearth/rpc';
import type { InTurn, Received, Standing } from '../../messages/module.ts';
import type { Context } from '../context.ts';
import type { Senders } from './senders.ts';

/** The outcome of an item. */
export interface Taken {
  /** A code of the protocol. */
  refused: Received['refused'] | 'schema' | 'unknown_type';
  firstContacts: number;
}

/** Gives a message to each of its recipients, as if its sender had sent it here. */
export async function takeMessage(
  context: Context,
  item: HomeItem,
  { standing, senders, inTurn }: { standing: Standing; senders: Senders; inTurn: InTurn },
  call: Call,
): Promise<Taken> {
  const { id: reference, to } = item;
  const body = await readable(async () => readBody(context, item.bodyJson));
  const sender = body && (await readable(() => senders.of(item)));
  if (body === null || sender === null) return { refused: 'schema', firstContacts: 0 };
  let firstContacts = 0;
  let taken = false;
  let last: Received['refused'] = null;
  for (const address of to) {
    const firstContactsLeft = standing.firstContactsLeft - firstContacts;
    const draft = { ...body, reference, sender, to: address, inTurn };
    const { refused, firstContact } = await context.receiveMessage(
      draft,
      { ...standing, firstContactsLeft },
      call,
    );
    if (firstContact) firstContacts += 1;
    if (refused === null) taken = true;
    else last = refused;
  }
  return { refused: taken ? null : last, firstContacts };
}

function readBody({ reader }: Context, json: string) {
  const { data_json: dataJson, ...body } = JSON.parse(json);
  const data = typeof dataJson === 'string' ? JSON.parse(dataJson) : dataJson;
  const read = reader.readMessage(HomeMessageSchema, { ...body, data });
  return { ...read, replyTo: read.replyTo ?? null };
}

/** Null for what another home wrote as it must not be. */
async function readable<Read>(read: () => Promise<Read>): Promise<Read | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SyntaxError || (isHearthError(error) && error.kind === 'bad_request')) return null;
    throw error;
  }
}
