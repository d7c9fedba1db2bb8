import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { badField, badRequest, isHearthError, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { callerKindOf } from '@hearth/limits';
import { RequestKind, type SendMessageResponseSchema } from '@hearth/proto/messages/v1/messages';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { Correspondent } from '../correspondents.ts';
import type { NewMessage } from '../db/insert-messages.ts';
import type { MessageRow } from '../db/message-row.ts';
import { findMessage } from '../db/messages.ts';
import { findRequest } from '../db/requests.ts';
import { findThread } from '../db/threads.ts';
import { boxWord, deliveryOf } from '../domain/boxes.ts';
import { requestDigest } from '../domain/request-digest.ts';
import { isMarker } from '../domain/stored-address.ts';
import { mailboxOf } from '../mailbox.ts';
import { sidesOf, toSent } from '../rpc/to-proto.ts';
import { mailboxTopic } from '../topics.ts';
import { land } from './land.ts';

/** A message as a caller asked for it, by send_message or reply_message. */
export interface Draft {
  operation: 'send_message' | 'reply_message';
  /** As it is stored, from `compose` on. */
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
  recipient: Correspondent;
  thread: string;
  replyTo: string | null;
}

type Answer = MessageInitShape<typeof SendMessageResponseSchema>;

/** Sends a draft: finds whom it is for, counts it against the limit for strangers, writes it. */
export async function compose(context: Context, given: Draft, call: Call): Promise<Answer> {
  mailboxOf(call.caller);
  const { to } = given;
  const draft = to === undefined ? given : { ...given, to: await context.correspondents.readTo(to, call) };
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
    return await answer(context, before, call);
  }
}

async function sendNow(context: Context, draft: Draft, call: Call): Promise<Answer> {
  const { clock, ids, outbox, sender } = context;
  const { caller } = call;
  const target = await findTarget(context, draft, call);
  const { recipient } = target;
  if (recipient.id === caller.id)
    throw badRequest('that is your own address; write to somebody else', { code: 'bad_field', field: 'to' });
  const { box, stranger } = await land(context, recipient, call);
  if (stranger) await countStranger(context, draft, call);

  const id = ids.uuid();
  const message: NewMessage = {
    id,
    thread: target.thread,
    sender: caller.id,
    recipient: recipient.id,
    senderAddress: storedAddressOf(caller),
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
          // Whoever hears it may not see who the child is.
          from: caller.minor ? '' : caller.address,
          to: recipient.id,
          box: boxWord(box),
        },
      },
      [mailboxTopic(recipient.id)],
    ),
  };
  const { row, repeated } = await sender.send(message);
  if (repeated) call.answerWith(200);
  return await answer(context, row, call);
}

async function answer({ shownPeople }: Context, row: MessageRow, { caller }: Call): Promise<Answer> {
  return toSent(row, deliveryOf(row.box), await shownPeople.to(caller, sidesOf(row)));
}

/** A person under 18 is stored by their id, and named when it is read. */
function storedAddressOf({ address, id, kind, minor }: Caller): string {
  return minor && kind === callerKinds.PERSON ? printId('per', id) : address;
}

function requestOf(draft: Draft): NewMessage['request'] {
  if (draft.requestId === undefined) return null;
  const { operation, requestId, to, thread, replyTo, text, title, data, requestKind } = draft;
  const digest = requestDigest([to, thread, replyTo, text, title, data && JSON.stringify(data), requestKind]);
  return { operation, requestId, digest };
}

/** `to`, `thread` and `reply_to` must mean the same other side; what is not theirs to see looks unknown. */
async function findTarget(context: Context, draft: Draft, call: Call): Promise<Target> {
  const { correspondents, database, ids } = context;
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
  const recipient = await correspondents.find(address, call);
  if (recipient === null) throw notFound();
  return { recipient, thread: thread ?? ids.uuid(), replyTo };
}

function sameSide(given: string | undefined, other: string): string {
  if (given !== undefined && given !== other)
    throw badField(
      'to',
      `is not the other side of that thread${isMarker(other) ? '' : `, which is ${other}`}`,
    );
  return other;
}

/** A message to a stranger counts against a daily limit; a repeated request does not. */
async function countStranger({ database, limiter }: Context, draft: Draft, { caller }: Call): Promise<void> {
  const request = requestOf(draft);
  if (request !== null && (await findRequest(database.db, { caller: caller.id, ...request })) !== null)
    return;
  await limiter.consume('messages_to_strangers_a_day', caller.id, callerKindOf(caller));
}
