import type { Announcement } from '@hearth/outbox';
import { isMinor, shortenName } from '@hearth/people';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { Box, RequestKind } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import { type NewMessage, newRow } from '../../shared/db/insert-messages.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { announcedAddress } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';
import type { RequestRow } from '../db/request-messages.ts';

/** A message from the recipient of a waiting message back to its sender, and its announcement. */
export interface Answer {
  message: NewMessage;
  sent: Announcement;
}

/**
 * Null where the recipient's account is gone.
 *
 * @param acquaints whether the two are contacts from then on
 */
export async function composeAnswer(
  { ais, clock, ids, people }: Context,
  row: RequestRow,
  text: string,
  acquaints: boolean,
  call: Call,
): Promise<Answer | null> {
  const person = await people.findOne(row.recipient);
  const ai =
    person === null ? (await ais.findAis({ ids: [row.recipient] }, { call })).results[0]?.facts : undefined;
  const named = person ?? ai;
  if (named === undefined) return null;
  const id = ids.uuid();
  return {
    message: {
      row: newRow({
        id,
        thread: row.thread,
        sender: row.recipient,
        recipient: row.sender,
        sender_address: row.recipient_address,
        sender_name: named.name,
        sender_status: ai?.status ?? AiStatus.UNSPECIFIED,
        recipient_address: row.sender_address,
        body: text,
        reply_to: row.id,
        request_kind: RequestKind.OTHER,
        via: call.caller.via || Via.HOME,
        box: Box.INBOX,
        at: new Date(clock.now()),
      }),
      acquaints,
    },
    sent: messageSent({
      id,
      thread: row.thread,
      from: announcedAddress(row.recipient_address),
      fromName: person !== null && isMinor(person) ? shortenName(person.name) : named.name,
      recipient: { id: row.sender, person: row.sender === row.sender_person },
      box: Box.INBOX,
    }),
  };
}
