import { badField, badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Call } from '@hearth/rpc';
import { findMessage } from '../../shared/db/messages.ts';
import { isMarker } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';
import { findThread } from '../db/threads.ts';
import type { Correspondent } from '../domain/correspondent.ts';
import type { Draft } from '../domain/draft.ts';
import { findCorrespondent, findOtherSide } from './correspondents.ts';

export interface Target {
  recipient: Correspondent;
  /** The thread to continue; null for a new one. */
  thread: string | null;
  replyTo: string | null;
}

/** The other side of one of the caller's threads. */
interface OtherParty {
  /** uuid */
  id: string;
  /** Their address as stored in the thread. */
  stored: string;
}

/**
 * Returns a draft's recipient and the thread to continue. `to`, `thread` and `reply_to` must all agree on the
 * other side.
 *
 * @throws not_found for a message, thread or recipient hidden from the caller; bad_field if they disagree
 */
export async function findTarget(context: Context, draft: Draft, call: Call): Promise<Target> {
  const { db } = context.database;
  const viewer = call.caller.id;
  let side: OtherParty | undefined;
  let thread: string | undefined;
  let replyTo: string | null = null;

  if (draft.replyTo !== undefined) {
    replyTo = parseId('msg', draft.replyTo);
    const message = replyTo === null ? null : await findMessage(db, viewer, replyTo);
    if (message === null) throw notFound();
    // A holder sees a message to someone else first, but is not a side of its thread.
    thread = message.recipient === viewer || message.sender === viewer ? message.thread : undefined;
    side =
      message.sender === viewer
        ? { id: message.recipient, stored: message.recipient_address }
        : { id: message.sender, stored: message.sender_address };
  }
  if (draft.thread !== undefined) {
    const id = parseId('thr', draft.thread);
    const found = id === null ? null : await findThread(db, viewer, id);
    if (found === null) throw notFound();
    if (thread !== undefined && thread !== found.id)
      throw badField('reply_to', 'is a message of another thread');
    thread = found.id;
    side = { id: found.other, stored: found.other_address };
  }
  const recipient = await findRecipient(context, draft.to, side, call);
  if (thread !== undefined && recipient.home !== '' && (await findThread(db, recipient.id, thread)) === null)
    throw badRequest(
      `that thread has ended: another home is under the name ${recipient.home} now; to write to whoever is there, give \`to\` alone`,
      { code: 'not_waiting' },
    );
  return { recipient, thread: thread ?? null, replyTo };
}

/**
 * @param side of the thread to continue; if `to` is given too, it must name this side by its stored or
 * current address
 */
async function findRecipient(
  context: Context,
  to: string | undefined,
  side: OtherParty | undefined,
  call: Call,
): Promise<Correspondent> {
  if (side === undefined && to === undefined)
    throw badField('to', 'give an address, or a thread or reply_to to go on in');
  const recipient =
    side === undefined
      ? await findCorrespondent(context, to!, call)
      : await findOtherSide(context, side, call);
  if (side !== undefined && to !== undefined && to !== side.stored && to !== recipient?.address)
    throw badField(
      'to',
      `is not the other side of that thread${isMarker(side.stored) ? '' : `, which is ${side.stored}`}`,
    );
  if (recipient === null) throw notFound();
  return recipient;
}
