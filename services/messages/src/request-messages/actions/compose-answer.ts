import type { Announcement } from '@hearth/outbox';
import { isMinor, shortenName } from '@hearth/people';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { Box, RequestKind } from '@hearth/proto/messages/v1/messages';
import { anonymous, type Call } from '@hearth/rpc';
import { describeAway } from '../../shared/actions/describe-away.ts';
import { type NewMessage, newRow } from '../../shared/db/insert-messages.ts';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { type Away, messageAway } from '../../shared/domain/away.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { announcedAddress, isElsewhere } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';
import type { RequestRow } from '../db/request-messages.ts';

/** An answer from the recipient of a waiting message to its sender, with its announcement. */
export interface Answer {
  message: NewMessage;
  sent: Announcement;
}

/**
 * Returns null if the recipient's account is gone.
 *
 * @param call null for an answer that a rule gives
 * @param acquaints whether it makes the two contacts
 */
export async function composeAnswer(
  context: Context,
  row: MessageRow & Pick<RequestRow, 'sender_person'>,
  text: string,
  acquaints: boolean,
  call: Call | null,
): Promise<Answer | null> {
  const { ais, clock, ids, people } = context;
  const person = await people.findOne(row.recipient);
  const ai =
    person === null
      ? (await ais.findAis({ ids: [row.recipient] }, optionsOf(call))).results[0]?.facts
      : undefined;
  const named = person ?? ai;
  if (named === undefined) return null;
  const id = ids.uuid();
  const { thread, recipient, recipient_address, sender, sender_address, id: replyTo } = row;
  const message = newRow({
    ...{ id, thread, sender: recipient, recipient: sender },
    sender_address: recipient_address,
    sender_name: named.name,
    sender_status: ai?.status ?? AiStatus.UNSPECIFIED,
    recipient_address: sender_address,
    body: text,
    reply_to: replyTo,
    request_kind: RequestKind.OTHER,
    via: call?.caller.via || Via.HOME,
    box: Box.INBOX,
    at: new Date(clock.now()),
  });
  const sent = isElsewhere(sender_address)
    ? messageAway(message, await awayOf(context, message, call))
    : messageSent({
        ...{ id, thread },
        from: announcedAddress(recipient_address),
        fromName: person !== null && isMinor(person) ? shortenName(person.name) : named.name,
        recipient: { id: sender, person: sender === row.sender_person },
        box: Box.INBOX,
      });
  return { message: { row: message, acquaints }, sent };
}

/** A job calls on no one's behalf. */
const optionsOf = (call: Call | null) => (call === null ? { caller: anonymous } : { call });

async function awayOf(
  { identity, ...context }: Context,
  message: MessageRow,
  call: Call | null,
): Promise<Away> {
  const { sender: id, sender_name: name, sender_status: aiStatus, thread, reply_to: replyTo } = message;
  const profileOf = async (uuid: string) =>
    (await identity.findProfiles({ ids: [uuid] }, optionsOf(call))).results[0]?.profile ?? null;
  const sender = { id, name, aiStatus, ai: aiStatus !== AiStatus.UNSPECIFIED };
  return await describeAway({ ...context, profileOf }, sender, { thread, replyTo });
}
