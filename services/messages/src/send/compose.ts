import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { readLocalAddress } from '@hearth/addresses';
import { badField, badRequest, isHearthError, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { callerKindOf } from '@hearth/limits';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { RequestKind, type SendMessageResponseSchema } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { NewMessage } from '../db/insert-messages.ts';
import { findMessage } from '../db/messages.ts';
import { findRequest } from '../db/requests.ts';
import { findThread } from '../db/threads.ts';
import { deliveryOf, landing } from '../domain/boxes.ts';
import { requestDigest } from '../domain/request-digest.ts';
import { toSent } from '../rpc/to-proto.ts';
import { mailboxTopic } from '../topics.ts';

/** A message as a caller asked for it, by send_message or reply_message. */
export interface Draft {
  operation: 'send_message' | 'reply_message';
  /** In its canonical spelling from `compose` on. */
  to?: string | undefined;
  thread?: string | undefined;
  replyTo?: string | undefined;
  text: string;
  title?: string | undefined;
  data?: JsonObject | undefined;
  requestKind?: RequestKind | undefined;
  requestId?: string | undefined;
}

interface Target {
  recipient: Profile;
  thread: string;
  replyTo: string | null;
}

type Answer = MessageInitShape<typeof SendMessageResponseSchema>;

/** Sends a draft: finds whom it is for, counts it against the limit for strangers, writes it. */
export async function compose(context: Context, given: Draft, call: Call): Promise<Answer> {
  const { to } = given;
  const draft = to === undefined ? given : { ...given, to: readLocalAddress(to, 'to', context.homeNames) };
  if (draft.requestId === undefined) return sendNow(context, draft, call);
  const key = `${call.caller.id} ${draft.operation} ${draft.requestId}`;
  return context.turns.take(key, () => sendOnce(context, draft, call));
}

/** A request that was done before is answered again, also when what it names has gone since. */
async function sendOnce(context: Context, draft: Draft, call: Call): Promise<Answer> {
  try {
    return await sendNow(context, draft, call);
  } catch (error) {
    const request = isHearthError(error) && error.kind === 'not_found' ? requestOf(draft) : null;
    const before =
      request && (await findRequest(context.database.db, { caller: call.caller.id, ...request }));
    if (!request || !before?.digest.equals(request.digest)) throw error;
    call.answerWith(200);
    return toSent(before, deliveryOf(before.box));
  }
}

async function sendNow(context: Context, draft: Draft, call: Call): Promise<Answer> {
  const { clock, ids, outbox, sender } = context;
  const { caller } = call;
  const target = await findTarget(context, draft, call);
  const { recipient } = target;
  if (recipient.id === caller.id)
    throw badRequest('that is your own address; write to somebody else', { code: 'bad_field', field: 'to' });
  const { box, delivery } = landing(recipient.aiStatus);
  await countStranger(context, draft, recipient, call);

  const id = ids.uuid();
  const message: NewMessage = {
    id,
    thread: target.thread,
    sender: caller.id,
    recipient: recipient.id,
    senderAddress: caller.address,
    senderName: caller.name,
    senderStatus: caller.aiStatus,
    recipientAddress: recipient.address,
    title: draft.title ?? null,
    body: draft.text,
    data: draft.data ?? null,
    replyTo: target.replyTo,
    requestKind: draft.requestKind ?? RequestKind.OTHER,
    via: caller.via,
    box,
    at: new Date(clock.now()),
    request: requestOf(draft),
    event: outbox.row(
      {
        case: 'messageSent',
        value: {
          messageId: printId('msg', id),
          thread: printId('thr', target.thread),
          from: caller.address,
          to: recipient.id,
          box: 'inbox',
        },
      },
      [mailboxTopic(recipient.id)],
    ),
  };
  const { row, repeated } = await sender.send(message);
  if (repeated) call.answerWith(200);
  return toSent(row, delivery);
}

function requestOf(draft: Draft): NewMessage['request'] {
  if (draft.requestId === undefined) return null;
  const { operation, requestId, to, thread, replyTo, text, title, data, requestKind } = draft;
  const digest = requestDigest([to, thread, replyTo, text, title, data && JSON.stringify(data), requestKind]);
  return { operation, requestId, digest };
}

/** `to`, `thread` and `reply_to` must mean the same other side; what is not theirs to see looks unknown. */
async function findTarget(context: Context, draft: Draft, call: Call): Promise<Target> {
  const { database, ids, profiles } = context;
  const viewer = call.caller.id;
  let address = draft.to;
  let thread: string | undefined;
  let replyTo: string | null = null;

  if (draft.replyTo !== undefined) {
    replyTo = parseId('msg', draft.replyTo);
    const message = replyTo === null ? null : await findMessage(database.db, viewer, replyTo);
    if (message === null) throw notFound();
    thread = message.thread;
    address = sameSide(
      address,
      message.sender === viewer ? message.recipient_address : message.sender_address,
    );
  }
  if (draft.thread !== undefined) {
    const id = parseId('thr', draft.thread);
    const found = id === null ? null : await findThread(database.db, viewer, id);
    if (found === null) throw notFound();
    if (thread !== undefined && thread !== found.id)
      throw badField('reply_to', 'is a message of another thread');
    thread = found.id;
    address = sameSide(address, found.other_address);
  }
  if (address === undefined) throw badField('to', 'give an address, or a thread or reply_to to go on in');
  const recipient = await profiles.find(address, call);
  if (recipient === null) throw notFound();
  return { recipient, thread: thread ?? ids.uuid(), replyTo };
}

function sameSide(given: string | undefined, other: string): string {
  if (given !== undefined && given !== other)
    throw badField('to', `is not the other side of that thread, which is ${other}`);
  return other;
}

/** A message to somebody who never wrote to the caller counts against a daily limit; a repeated request does not. */
async function countStranger(context: Context, draft: Draft, recipient: Profile, call: Call): Promise<void> {
  const { contacts, database, limiter } = context;
  if (await contacts.knows(recipient.id, call.caller.id)) return;
  const request = requestOf(draft);
  if (request !== null && (await findRequest(database.db, { caller: call.caller.id, ...request })) !== null)
    return;
  await limiter.consume('messages_to_strangers_a_day', call.caller.id, callerKindOf(call.caller));
}
