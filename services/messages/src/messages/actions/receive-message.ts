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

/** A message from a remote party to a local recipient. */
export interface ReceivedDraft
  extends Pick<Draft, 'text' | 'title' | 'data' | 'requestKind' | 'inTurn' | 'envelope'> {
  /** r:<home>:<id> */
  reference: string;
  sender: Caller;
  /** The local address. */
  to: string;
  /** r:<home>:<id> */
  thread: string;
  replyTo: string | null;
}

/** The standing of the sender's home. */
export interface SenderHome {
  /** The home's registrable domain. */
  domain: string;
  /** Whether all its senders count as strangers. */
  limited: boolean;
  /** The number of messages still allowed to recipients who do not know the sender. */
  firstContactsLeft: number;
}

export interface Received {
  /** A protocol code. */
  refused: 'no_such_address' | 'first_contact' | null;
  /** Whether the message was accepted for a person, or an AI of theirs, who does not know the sender. */
  firstContact: boolean;
}

/**
 * Delivers a message as if it had been sent on this home. A message that the recipient's rules refuse is
 * accepted too, so that the sender learns nothing.
 */
export type ReceiveMessage = (draft: ReceivedDraft, standing: SenderHome, call: Call) => Promise<Received>;

/** Errors that mean the recipient refuses the message; all others are this home's own. */
const refusals = new Set(['forbidden', 'not_found']);

export const receiveMessage =
  (context: Context): ReceiveMessage =>
  async ({ reference, sender, to, thread, replyTo, ...content }, standing, call) => {
    const recipient = await context.profiles.find(to, call);
    if (recipient === null || recipient.minor || recipient.home !== '') return refused('no_such_address');
    const isStranger = await isFirstContact(context, recipient, sender, standing);
    // A refused message leaves no trace.
    const mayBegin = !isStranger || standing.firstContactsLeft > 0;
    const fresh = { message: context.ids.uuid(), thread: context.ids.uuid() };
    const begins = parseReference(thread, context.homeNames)?.home === sender.home;
    // An answer may be sent as soon as the message exists, and names the thread by its remote reference.
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
    // Checked again: the sender's home may have begun anew in the meantime.
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

/** An AI without an owner accepts messages from everyone. */
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
  /**
   * The sender is not in the thread that they name: the message starts a new thread, without a remote
   * reference.
   */
  apart?: boolean;
}

type Named = Pick<ReceivedDraft, 'sender' | 'thread' | 'replyTo'> & { recipient: Pick<Correspondent, 'id'> };

/** Resolves the thread and message that a draft names, if both sides take part in them. */
async function placeOf(
  context: Context,
  known: ReadonlyMap<string, string>,
  { sender, recipient, thread, replyTo }: Named,
): Promise<ThreadReference> {
  const { db } = context.database;
  const idOf = (prefix: 'thr' | 'msg', text: string) => known.get(text) ?? ownId(context, prefix, text);
  const threadId = idOf('thr', thread);
  // A thread of the sender's home that is new here.
  if (threadId === null) return { apart: parseReference(thread, context.homeNames)?.home !== sender.home };
  const found = await findThread(db, sender.id, threadId);
  // The thread's first message was refused or never stored, so the thread starts with this one.
  if (found === null && known.has(thread) && !(await hasMessages(db, threadId))) return {};
  if (found?.other !== recipient.id) return { apart: true };
  const messageId = replyTo === null ? null : idOf('msg', replyTo);
  const answered = messageId === null ? null : await findMessage(db, sender.id, messageId);
  return {
    thread: printId('thr', threadId),
    ...(answered?.thread === threadId && { replyTo: printId('msg', answered.id) }),
  };
}

/** The uuid behind a reference to a local thing. */
function ownId({ homeNames }: Context, prefix: IdPrefix, text: string): string | null {
  const own = printReference({ home: homeNames.ownHome, id: '' });
  return text.startsWith(own) ? parseId(prefix, text.slice(own.length)) : null;
}
