import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { badField, badRequest, isHearthError, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { callerKindOf } from '@hearth/limits';
import { Delivery, RequestKind, type SendMessageResponseSchema } from '@hearth/proto/messages/v1/messages';
import { type Call, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { NewMessage } from '../../shared/db/insert-messages.ts';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { messageNotice } from '../../shared/domain/message-notice.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { isMarker } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';
import { findRequest } from '../db/idempotency.ts';
import { findMessage } from '../db/messages.ts';
import { findThread, isAccepted } from '../db/threads.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { boxWord, deliveryOf, politeNo } from '../domain/placement.ts';
import { requestDigest } from '../domain/request-digest.ts';
import { sidesOf, toSent } from '../domain/to-proto.ts';
import type { Correspondent } from './correspondents.ts';
import { behindOf, type Landed, land } from './place-message.ts';
import { requestIdReused } from './sender.ts';

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
  /** `to` names somebody under 18 by a handle that the caller may not know. */
  unseen?: boolean;
}

interface Target {
  recipient: Correspondent;
  /** The thread to go on in; null for a new one. */
  thread: string | null;
  replyTo: string | null;
}

type Answer = MessageInitShape<typeof SendMessageResponseSchema>;

/** Sends a draft: finds whom it is for, counts it against the limit for strangers, writes it. */
export async function compose(context: Context, given: Draft, call: Call): Promise<Answer> {
  mailboxOf(call.caller);
  const { to } = given;
  const draft = to === undefined ? given : { ...given, ...(await context.correspondents.readTo(to, call)) };
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
  const { caller } = call;
  const target = await findTarget(context, draft, call);
  const { recipient } = target;
  if (recipient.id === caller.id)
    throw badRequest('that is your own address; write to somebody else', { code: 'bad_field', field: 'to' });
  // What was done already counts towards nobody's cap again.
  const before = behindOf(recipient) === '' ? null : await earlier(context, draft, caller);
  if (before !== null) {
    call.answerWith(200);
    return await answer(context, before, call);
  }
  const landed = await landing(context, draft, target, call);
  const { row, repeated } = await context.sender.send(newMessage(context, draft, target, landed, caller));
  if (repeated) call.answerWith(200);
  return await answer(context, row, call);
}

/**
 * What the request made before.
 *
 * @throws bad_request (request_id_reused) when it was another request
 */
async function earlier({ database }: Context, draft: Draft, caller: Caller): Promise<MessageRow | null> {
  const request = requestOf(draft);
  if (request === null) return null;
  const before = await findRequest(database.db, { caller: caller.id, ...request });
  if (before !== null && !before.digest.equals(request.digest)) throw requestIdReused();
  return before;
}

/** Where it lands; a message to a stranger counts against a daily limit of the sender's, turned away or not. */
async function landing(context: Context, draft: Draft, target: Target, call: Call): Promise<Landed> {
  const { database, limiter } = context;
  const { caller } = call;
  const { recipient, thread } = target;
  const owned = behindOf(recipient) !== '';
  const kind = callerKindOf(caller);
  const usage = owned ? await limiter.peek('messages_to_strangers_a_day', caller.id, kind) : null;
  const landed = await land(
    context,
    {
      recipient,
      unseen: draft.unseen === true,
      kind: draft.requestKind ?? RequestKind.OTHER,
      accepted: owned && thread !== null && (await isAccepted(database.db, recipient.id, thread)),
      // Whoever has none left uses up nobody's cap.
      count: usage === null || usage.remaining > 0,
    },
    call,
  ).catch(async (error: unknown) => {
    if (isTurnedAway(error)) await limiter.consume('messages_to_strangers_a_day', caller.id, kind);
    throw error;
  });
  if (landed.stranger && (owned || (await earlier(context, draft, caller)) === null))
    await limiter.consume('messages_to_strangers_a_day', caller.id, kind);
  return landed;
}

function isTurnedAway(error: unknown): boolean {
  return isHearthError(error) && error.details.code === 'turned_away';
}

function newMessage(
  { clock, ids, outbox }: Context,
  draft: Draft,
  target: Target,
  { box, groups, holder, countsAs, delivery, quiet }: Landed,
  caller: Caller,
): NewMessage {
  const { recipient } = target;
  const id = ids.uuid();
  const thread = target.thread ?? ids.uuid();
  const senderAddress = storedAddressOf(caller);
  const declined = delivery === Delivery.DECLINED;
  const waits = delivery === Delivery.REQUESTED || delivery === Delivery.FRONT_DOOR;
  return {
    id,
    thread,
    sender: caller.id,
    recipient: recipient.id,
    senderAddress,
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
    event: declined
      ? null
      : messageSent(outbox, {
          id,
          thread,
          from: caller.minor ? '' : senderAddress,
          recipient: recipient.id,
          holder,
          box: boxWord(box),
          quiet,
          notice: messageNotice({
            box,
            quiet,
            recipient,
            holder,
            fromName: caller.name,
            title: draft.title ?? null,
            by: caller.kind === callerKinds.PERSON ? caller.id : '',
          }),
          groups,
        }),
    person: waits ? behindOf(recipient) : null,
    senderPerson: waits ? personOf(caller) : null,
    holder,
    countsAs,
    declined,
    acquaints: true,
  };
}

async function answer({ shownPeople }: Context, row: MessageRow, { caller }: Call): Promise<Answer> {
  const delivery = deliveryOf(row.box);
  const sent = toSent(row, delivery, await shownPeople.to(caller, sidesOf(row)));
  return delivery === Delivery.DECLINED ? { ...sent, politeNo } : sent;
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

/** Somebody with whom the caller has a thread. */
interface Side {
  /** uuid */
  id: string;
  /** Their address, as it is stored there. */
  stored: string;
}

/** `to`, `thread` and `reply_to` must mean the same other side; what is not theirs to see looks unknown. */
async function findTarget(context: Context, draft: Draft, call: Call): Promise<Target> {
  const { correspondents, database } = context;
  const viewer = call.caller.id;
  let side: Side | undefined;
  let thread: string | undefined;
  let replyTo: string | null = null;

  if (draft.replyTo !== undefined) {
    replyTo = parseId('msg', draft.replyTo);
    const message = replyTo === null ? null : await findMessage(database.db, viewer, replyTo);
    if (message === null) throw notFound();
    // Whoever sees first what is written to another is no side of that thread.
    thread = message.recipient === viewer || message.sender === viewer ? message.thread : undefined;
    side =
      message.sender === viewer
        ? { id: message.recipient, stored: message.recipient_address }
        : { id: message.sender, stored: message.sender_address };
  }
  if (draft.thread !== undefined) {
    const id = parseId('thr', draft.thread);
    const found = id === null ? null : await findThread(database.db, viewer, id);
    if (found === null) throw notFound();
    if (thread !== undefined && thread !== found.id)
      throw badField('reply_to', 'is a message of another thread');
    thread = found.id;
    side = { id: found.other, stored: found.other_address };
  }
  const recipient = await findRecipient(correspondents, draft.to, side, call);
  return { recipient, thread: thread ?? null, replyTo };
}

/** @param side of the thread to go on in, which `to` must name when both are given, as it is stored or as it is now */
async function findRecipient(
  correspondents: Context['correspondents'],
  to: string | undefined,
  side: Side | undefined,
  call: Call,
): Promise<Correspondent> {
  if (side === undefined && to === undefined)
    throw badField('to', 'give an address, or a thread or reply_to to go on in');
  const recipient =
    side === undefined ? await correspondents.find(to!, call) : await correspondents.findOther(side, call);
  if (side !== undefined && to !== undefined && to !== side.stored && to !== recipient?.address)
    throw badField(
      'to',
      `is not the other side of that thread${isMarker(side.stored) ? '' : `, which is ${side.stored}`}`,
    );
  if (recipient === null) throw notFound();
  return recipient;
}
