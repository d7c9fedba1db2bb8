import { parseReference, printReference } from '@hearth/addresses';
import { isHearthError } from '@hearth/errors';
import { momentOfNo } from '@hearth/home-acts';
import { type IdPrefix, parseId, printId } from '@hearth/ids';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import type { Call, Caller } from '@hearth/rpc';
import { findMessage } from '../../shared/db/messages.ts';
import { planPoliteNo } from '../../shared/db/polite-noes.ts';
import type { Context } from '../context.ts';
import { hasWrittenToDomain } from '../db/contacts.ts';
import { findThread, hasMessages } from '../db/threads.ts';
import { type Correspondent, responsiblePerson } from '../domain/correspondent.ts';
import type { Draft } from '../domain/draft.ts';
import { sendDraft } from './send-draft.ts';

/** A message of a party of another home to one of this home. */
export interface ReceivedDraft
  extends Pick<Draft, 'text' | 'title' | 'data' | 'requestKind' | 'inTurn' | 'envelope'> {
  /** r:<home>:<id> */
  reference: string;
  sender: Caller;
  /** The address here. */
  to: string;
  /** r:<home>:<id> */
  thread: string;
  replyTo: string | null;
}

/** How the sender's home stands with this one. */
export interface SenderHome {
  /** The registrable domain of the home. */
  domain: string;
  /** Everyone there counts as a stranger. */
  limited: boolean;
  /** So many messages to people who do not know their sender are still taken. */
  firstContactsLeft: number;
}

export interface Received {
  /** A code of the protocol. */
  refused: 'no_such_address' | 'first_contact' | null;
  /** It was taken for a person, or for an AI of theirs, who does not know the sender. */
  firstContact: boolean;
}

/**
 * Takes a message as if its sender had sent it here. One that the recipient does not take is taken all the same, so that
 * its sender learns nothing of it.
 */
export type ReceiveMessage = (draft: ReceivedDraft, standing: SenderHome, call: Call) => Promise<Received>;

/** These say that the recipient does not take the message; every other error is the home's own. */
const refusals = new Set(['forbidden', 'not_found']);

export const receiveMessage =
  (context: Context): ReceiveMessage =>
  async ({ reference, sender, to, thread, replyTo, ...content }, standing, call) => {
    const recipient = await context.profiles.find(to, call);
    if (recipient === null || recipient.minor || recipient.home !== '') return refused('no_such_address');
    const isStranger = await isFirstContact(context, recipient, sender, standing);
    // Nothing is noted of what is refused.
    const mayBegin = !isStranger || standing.firstContactsLeft > 0;
    const fresh = { message: context.ids.uuid(), thread: context.ids.uuid() };
    const begins = parseReference(thread, context.homeNames)?.home === sender.home;
    // An answer may be sent as soon as the message is there, and names its thread as the other home does.
    const known = await context.references.note({
      recipient: recipient.id,
      references: [
        { reference, id: mayBegin ? fresh.message : null },
        { reference: thread, id: mayBegin && begins ? fresh.thread : null },
        ...(replyTo === null ? [] : [{ reference: replyTo, id: null }]),
      ],
    });
    const before = known.get(reference);
    if (before !== undefined && (await findMessage(context.database.db, recipient.id, before)) !== null)
      return { refused: null, firstContact: false };
    // Their home may have begun anew meanwhile.
    const firstContact = isStranger || (await isFirstContact(context, recipient, sender, standing));
    if (firstContact && standing.firstContactsLeft === 0) return refused('first_contact');
    const place = await placeOf(context, known, { sender, recipient, thread, replyTo });
    const newIds = {
      reference,
      message: before ?? fresh.message,
      thread: (place.apart ? undefined : known.get(thread)) ?? fresh.thread,
    };
    const draft: Draft = {
      ...{ ...content, to, newIds, operation: 'receive_message', asStranger: standing.limited },
      ...{ thread: place.thread, replyTo: place.replyTo, requestId: `${reference} ${to}` },
    };
    try {
      const { delivery } = await sendDraft(context, draft, { ...call, caller: sender, answerWith() {} });
      if (delivery === Delivery.DECLINED)
        await context.commit((tx) => planPoliteNo(tx, newIds.message, momentOfNo(context)));
    } catch (error) {
      if (!isHearthError(error) || !refusals.has(error.kind)) throw error;
    }
    return { refused: null, firstContact };
  };

const refused = (code: NonNullable<Received['refused']>): Received => ({
  refused: code,
  firstContact: false,
});

/** An AI without an owner takes messages of everyone. */
async function isFirstContact(
  { contacts, database }: Context,
  recipient: Correspondent,
  sender: Caller,
  { domain, limited }: SenderHome,
): Promise<boolean> {
  const person = responsiblePerson(recipient);
  if (person === '') return false;
  if (limited) return true;
  const owners = [...new Set([recipient.id, person])];
  return !(
    (await contacts.knows(owners, [sender.id])) || (await hasWrittenToDomain(database.db, owners, domain))
  );
}

interface ThreadReference {
  thread?: string;
  replyTo?: string;
  /** The thread that the sender names is not theirs: the message begins another, which no reference leads to. */
  apart?: boolean;
}

type Named = Pick<ReceivedDraft, 'sender' | 'thread' | 'replyTo'> & { recipient: Pick<Correspondent, 'id'> };

/** The thread and the message that a draft names, where both sides take part in them. */
async function placeOf(
  context: Context,
  known: ReadonlyMap<string, string>,
  { sender, recipient, thread, replyTo }: Named,
): Promise<ThreadReference> {
  const { db } = context.database;
  const idOf = (prefix: 'thr' | 'msg', text: string) => known.get(text) ?? ownId(context, prefix, text);
  const threadId = idOf('thr', thread);
  // A thread of the sender's home that did not come here before.
  if (threadId === null) return { apart: parseReference(thread, context.homeNames)?.home !== sender.home };
  const found = await findThread(db, sender.id, threadId);
  // Its first message was refused, or never stored: it begins with this one.
  if (found === null && known.has(thread) && !(await hasMessages(db, threadId))) return {};
  if (found?.other !== recipient.id) return { apart: true };
  const messageId = replyTo === null ? null : idOf('msg', replyTo);
  const answered = messageId === null ? null : await findMessage(db, sender.id, messageId);
  return {
    thread: printId('thr', threadId),
    ...(answered?.thread === threadId && { replyTo: printId('msg', answered.id) }),
  };
}

/** The uuid of a thing of this home, from its reference. */
function ownId({ homeNames }: Context, prefix: IdPrefix, text: string): string | null {
  const own = printReference({ home: homeNames.ownHome, id: '' });
  return text.startsWith(own) ? parseId(prefix, text.slice(own.length)) : null;
}
