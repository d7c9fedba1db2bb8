import { isMinor, shortenName } from '@hearth/people';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { Box, RequestKind } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import type { NewMessage } from '../../shared/db/insert-messages.ts';
import { messageNotice } from '../../shared/domain/message-notice.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { heardAddress } from '../../shared/domain/stored-address.ts';
import type { RequestMessagesContext } from '../context.ts';
import type { RequestRow } from '../db/request-messages.ts';

/**
 * A message from the address that somebody wrote to, back to them; null when nobody is there any more who could say it.
 *
 * @param acquaints whether the two know each other from then on
 */
export async function answerTo(
  { ais, clock, ids, outbox, people }: RequestMessagesContext,
  row: RequestRow,
  text: string,
  acquaints: boolean,
  call: Call,
): Promise<NewMessage | null> {
  const person = await people.findOne(row.recipient);
  const ai =
    person === null ? (await ais.findAis({ ids: [row.recipient] }, { call })).results[0]?.facts : undefined;
  const named = person ?? ai;
  if (named === undefined) return null;
  const id = ids.uuid();
  const sides = {
    id,
    thread: row.thread,
    sender: row.recipient,
    recipient: row.sender,
    holder: null,
  };
  return {
    ...sides,
    senderAddress: row.recipient_address,
    senderName: named.name,
    senderStatus: ai?.status ?? AiStatus.UNSPECIFIED,
    recipientAddress: row.sender_address,
    title: null,
    body: text,
    data: null,
    replyTo: row.id,
    requestKind: RequestKind.OTHER,
    via: call.caller.via || Via.HOME,
    box: Box.INBOX,
    at: new Date(clock.now()),
    request: null,
    event: messageSent(outbox, {
      ...sides,
      from: heardAddress(row.recipient_address),
      box: 'inbox',
      notice: messageNotice({
        box: Box.INBOX,
        quiet: false,
        recipient: { id: row.sender, person: row.sender === row.sender_person },
        holder: null,
        fromName: person !== null && isMinor(person) ? shortenName(person.name) : named.name,
        title: null,
        by: '',
      }),
    }),
    person: null,
    senderPerson: null,
    countsAs: null,
    declined: false,
    acquaints,
  };
}
