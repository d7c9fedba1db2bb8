import { type BrokenRule, brokenRule, ruleBrokenIn } from '@hearth/home-acts';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import { HomeMessageSchema } from '@hearth/proto/messages/v1/home_messages';
import type { Call } from '@hearth/rpc';
import { readStrictObject } from '@hearth/signing';
import type { InTurn, Received, SenderHome } from '../../messages/module.ts';
import type { Context } from '../context.ts';
import type { Senders } from './senders.ts';

/** The outcome of an item. */
export type Taken = { firstContacts: number } & (
  | BrokenRule
  | {
      /** A protocol code. */
      refused: Received['refused'];
    }
);

/** Delivers a message to each of its recipients as if it had been sent on this home. */
export async function takeMessage(
  context: Context,
  item: HomeItem,
  { standing, senders, inTurn }: { standing: SenderHome; senders: Senders; inTurn: InTurn },
  call: Call,
): Promise<Taken> {
  const { id: reference, itemJson: envelope, to } = item;
  const body = await readable('body', async () => readBody(context, item.bodyJson));
  if ('refused' in body) return { ...body, firstContacts: 0 };
  const sender = await readable('sender', () => senders.of(item));
  if (sender === null || 'refused' in sender)
    return {
      ...(sender ?? brokenRule('sender', 'must be a party of the home that sends it')),
      firstContacts: 0,
    };
  let firstContacts = 0;
  let taken = false;
  let last: Received['refused'] = null;
  for (const address of to) {
    const firstContactsLeft = standing.firstContactsLeft - firstContacts;
    const draft = { ...body, reference, sender, to: address, inTurn, envelope };
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
  const data =
    typeof dataJson === 'string' ? (readStrictObject(dataJson, { floats: true }) ?? dataJson) : dataJson;
  const read = reader.readMessage(HomeMessageSchema, { ...body, data });
  return { ...read, replyTo: read.replyTo ?? null };
}

/** Returns what `read` returns, or the rule that the other home's content breaks. */
async function readable<Read>(path: string, read: () => Promise<Read>): Promise<Read | BrokenRule> {
  try {
    return await read();
  } catch (error) {
    const broken = ruleBrokenIn(path, error);
    if (broken === null) throw error;
    return broken;
  }
}
