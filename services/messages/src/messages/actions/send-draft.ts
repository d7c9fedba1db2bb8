import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest, isHearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { itemsChanged } from '@hearth/items';
import { callerKindOf } from '@hearth/limits';
import {
  Box,
  Delivery,
  RequestKind,
  type SendMessageResponseSchema,
} from '@hearth/proto/messages/v1/messages';
import { type Call, type Caller, callerKinds, personOf } from '@hearth/rpc';
import { describeAway } from '../../shared/actions/describe-away.ts';
import { type NewMessage, newRow } from '../../shared/db/insert-messages.ts';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { type Away, messageAway } from '../../shared/domain/away.ts';
import { itemOf } from '../../shared/domain/items.ts';
import { fromHome, messageSent } from '../../shared/domain/message-sent.ts';
import type { Context } from '../context.ts';
import { findSent } from '../db/idempotency.ts';
import { isAccepted } from '../db/threads.ts';
import { type Correspondent, responsiblePerson } from '../domain/correspondent.ts';
import { type Draft, requestOf } from '../domain/draft.ts';
import { inInbox } from '../domain/placement.ts';
import { checkSame } from '../domain/request-digest.ts';
import { sidesOf, toSent } from '../domain/to-proto.ts';
import { readRecipient } from './correspondents.ts';
import { findTarget, type Target } from './find-target.ts';
import { nameHere } from './name-here.ts';
import { type Route, routeMessage } from './route-message.ts';
import { showSides } from './show-sides.ts';

export type Answer = MessageInitShape<typeof SendMessageResponseSchema>;

/**
 * Sends a draft: resolves the recipient, routes the message, applies the limit on strangers, and writes it.
 */
export async function sendDraft(context: Context, given: Draft, call: Call): Promise<Answer> {
  const owner = call.caller.id;
  const { to } = given;
  const named = await nameHere(context, given, owner);
  const draft = to === undefined ? named : { ...named, ...(await readRecipient(context, to, call)) };
  if (draft.requestId === undefined) return sendNow(context, draft, call);
  const key = `${call.caller.id} ${draft.operation} ${draft.requestId}`;
  return context.sends.run(key, () => sendOnce(context, draft, call));
}

/** A repeated request gets its first answer, even if the thread or recipient has gone since. */
async function sendOnce(context: Context, draft: Draft, call: Call): Promise<Answer> {
  try {
    return await sendNow(context, draft, call);
  } catch (error) {
    const request = isHearthError(error) && error.kind === 'not_found' ? requestOf(draft) : null;
    const before = request && (await findSent(context.database.db, call.caller.id, request));
    if (!request || !before?.digest.equals(request.digest)) throw error;
    return await answer(context, { row: before, repeated: true }, call);
  }
}

async function sendNow(context: Context, draft: Draft, call: Call): Promise<Answer> {
  const { caller } = call;
  const target = await findTarget(context, draft, call);
  const { recipient } = target;
  if (recipient.id === caller.id)
    throw badRequest('that is your own address; write to somebody else', { code: 'bad_field', field: 'to' });
  // A message that was already sent does not count toward a cap again.
  const before = responsiblePerson(recipient) === '' ? null : await findEarlier(context, draft, caller);
  if (before !== null) return await answer(context, { row: before, repeated: true }, call);
  const route = await findRoute(context, draft, target, call);
  const placed = { ...target, thread: target.thread ?? draft.newIds?.thread ?? context.ids.uuid() };
  const begins = placed.thread !== target.thread;
  const away = recipient.home === '' ? null : await awayOf(context, { ...placed, begins }, call);
  const message = newMessage(context, draft, placed, route, caller, away);
  const send = () => context.sender.send(message);
  return await answer(context, await (draft.inTurn?.(send) ?? send()), call);
}

/** Writes a message to an AI's inbox, bypassing its rules. */
export async function tellParty(
  context: Context,
  draft: Draft,
  recipient: Correspondent,
  call: Call,
): Promise<void> {
  const placed = { recipient, thread: context.ids.uuid(), replyTo: null };
  const route = { ...inInbox, stranger: false, groups: [] };
  await context.sender.send(newMessage(context, draft, placed, route, call.caller, null));
}

/** A target with its thread, new or existing. */
type Placed = Target & { thread: string };

async function awayOf(context: Context, placed: Placed & { begins: boolean }, call: Call): Promise<Away> {
  const { id, kind, name, aiStatus } = call.caller;
  const profileOf = (uuid: string) => context.profiles.findById(uuid, call);
  return await describeAway(
    { ...context, profileOf },
    { id, name, aiStatus, ai: kind === callerKinds.AI },
    placed,
  );
}

/**
 * The message that this request created before.
 *
 * @throws bad_request (request_id_reused) if the request was different
 */
async function findEarlier({ database }: Context, draft: Draft, caller: Caller): Promise<MessageRow | null> {
  const request = requestOf(draft);
  const before = request && (await findSent(database.db, caller.id, request));
  if (request && before) checkSame(request, before);
  return before;
}

/** A message to a stranger counts toward the sender's daily limit, even if it is refused. */
async function findRoute(context: Context, draft: Draft, target: Target, call: Call): Promise<Route> {
  const { database, limiter } = context;
  const { caller } = call;
  const { recipient, thread } = target;
  const owned = responsiblePerson(recipient) !== '';
  const kind = callerKindOf(caller);
  // A remote home counts its own callers; its messages are limited on arrival.
  const countStranger = async () =>
    caller.home === '' && (await limiter.consume('messages_to_strangers_a_day', caller.id, kind));
  const usage =
    owned && caller.home === '' ? await limiter.peek('messages_to_strangers_a_day', caller.id, kind) : null;
  const route = await routeMessage(
    context,
    {
      recipient,
      unseen: draft.unseen === true,
      kind: draft.requestKind ?? RequestKind.OTHER,
      asStranger: draft.asStranger === true,
      accepted: owned && thread !== null && (await isAccepted(database.db, recipient.id, thread)),
      // A sender over their own limit must not use up recipients' caps.
      count: usage === null || usage.remaining > 0,
    },
    call,
  ).catch(async (error: unknown) => {
    if (isHearthError(error) && error.details.code === 'turned_away') await countStranger();
    throw error;
  });
  if (route.stranger && (owned || (await findEarlier(context, draft, caller)) === null))
    await countStranger();
  return route;
}

function newMessage(
  { clock, ids, outbox }: Context,
  draft: Draft,
  { recipient, thread, replyTo }: Placed,
  { box, groups, holder, countsAs, delivery, quiet }: Route,
  caller: Caller,
  away: Away | null,
): NewMessage {
  const { message: id = ids.uuid(), reference } = draft.newIds ?? {};
  const senderAddress = storedAddressOf(caller);
  const declined = delivery === Delivery.DECLINED;
  const waits = delivery === Delivery.REQUESTED || delivery === Delivery.FRONT_DOOR;
  const at = new Date(clock.now());
  const requestKind = draft.requestKind ?? RequestKind.OTHER;
  const [person, senderPerson] = [responsiblePerson(recipient), personOf(caller)];
  const itemWritten = () => {
    const kind = countsAs ?? requestKind;
    const item = itemOf({
      id,
      sender: caller.id,
      senderPerson,
      recipient: recipient.id,
      person,
      holder,
      box,
      kind,
      at,
      data: draft.data,
    });
    return { item, event: outbox.row(itemsChanged({ placed: [item] })) };
  };
  const row = newRow({
    id,
    thread,
    sender: caller.id,
    recipient: recipient.id,
    sender_address: senderAddress,
    sender_name: caller.name,
    sender_status: caller.aiStatus,
    recipient_address: recipient.address,
    title: draft.title ?? null,
    body: draft.text,
    data: draft.data ?? null,
    reply_to: replyTo,
    request_kind: requestKind,
    via: caller.via,
    box,
    at,
    holder,
    counts_as: countsAs,
  });
  const announced = () =>
    messageSent({
      id,
      thread,
      from: caller.minor ? '' : senderAddress,
      fromName: caller.name,
      title: draft.title ?? null,
      recipient,
      holder,
      box,
      quiet,
      by: caller.kind === callerKinds.PERSON ? caller.id : '',
      groups,
      fromHome:
        reference !== undefined && recipient.person && recipient.app !== '' && box === Box.INBOX && !holder
          ? fromHome(row, { app: recipient.app, envelope: reference })
          : null,
    });
  return {
    row,
    request: requestOf(draft),
    ...(!declined && {
      event: outbox.row(away === null ? announced() : messageAway(row, away)),
    }),
    ...(waits && { person, senderPerson, item: itemWritten() }),
    declined,
    acquaints: true,
    envelope: draft.envelope || null,
  };
}

async function answer(
  context: Context,
  { row, repeated }: { row: MessageRow; repeated: boolean },
  call: Call,
): Promise<Answer> {
  if (repeated) call.answerWith(200);
  return toSent(row, await showSides(context, sidesOf(row), call.caller));
}

/** A person under 18 is stored by id. */
function storedAddressOf({ address, id, kind, minor }: Caller): string {
  return minor && kind === callerKinds.PERSON ? printId('per', id) : address;
}
