import { notFound } from '@hearth/errors';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { Box, RequestKind } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import { insertMessages, type NewMessage } from '../../db/insert-messages.ts';
import { lockMailboxes } from '../../db/messages.ts';
import { endWait, lockWaiting, type RequestRow } from '../../db/request-messages.ts';
import { heardAddress } from '../../domain/stored-address.ts';
import { messageSent } from '../../events/message-sent.ts';
import { mailboxTopic } from '../../topics.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from './context.ts';
import { waitingMessage } from './waiting-thread.ts';

/** The polite no is a message of whom the sender wrote to; it makes nobody known to anybody. */
export const declineThread =
  (context: RequestMessagesContext): RequestMessagesHandlers['declineThread'] =>
  async (request, call) => {
    const { clock, database, outbox } = context;
    const { viewer, row } = await waitingMessage(context, request);
    const answer = request.politeNo === '' ? null : await politeNo(context, row, request.politeNo, call);
    const declined = await database.transaction(async (tx) => {
      await lockMailboxes(tx, [row.recipient, row.sender]);
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await endWait(tx, row.recipient, rows, new Date(clock.now()));
      if (answer !== null) await insertMessages(tx, [answer]);
      return rows.length;
    });
    if (answer?.event) outbox.committed([answer.event]);
    outbox.wake([mailboxTopic(row.recipient), ...viewer.holders.map(mailboxTopic)]);
    return { declined };
  };

async function politeNo(
  { ais, clock, ids, outbox, people }: RequestMessagesContext,
  row: RequestRow,
  text: string,
  call: Call,
): Promise<NewMessage | null> {
  const person = await people.findOne(row.recipient);
  const ai =
    person === null ? (await ais.findAis({ ids: [row.recipient] }, { call })).results[0]?.facts : undefined;
  const named = person ?? ai;
  // Whoever is gone says nothing any more.
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
    event: messageSent(outbox, { ...sides, from: heardAddress(row.recipient_address), box: 'inbox' }),
    person: null,
    senderPerson: null,
    countsAs: null,
    declined: false,
    acquaints: false,
  };
}
