import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import {
  Box,
  type Delivery,
  type MessageSchema,
  SenderStatus,
  type SendMessageResponseSchema,
  type ThreadSchema,
} from '@hearth/proto/messages/v1/messages';
import type { MessageRow } from '../../shared/db/message-row.ts';
import type { Shown } from '../actions/shown-people.ts';
import type { ThreadRow } from '../db/threads.ts';

const senderStatuses: Record<number, SenderStatus> = {
  [AiStatus.CLAIMED]: SenderStatus.CLAIMED,
  [AiStatus.VOUCHED]: SenderStatus.VOUCHED,
  [AiStatus.UNCLAIMED]: SenderStatus.UNCLAIMED,
};

export function toSenderStatus(status: number): SenderStatus {
  return senderStatuses[status] ?? SenderStatus.PERSON;
}

/** The stored addresses of both sides: what `shownPeople` needs to know. */
export function sidesOf(row: MessageRow): string[] {
  return [row.sender_address, row.recipient_address];
}

/** A message as `viewer` (one of its two sides) sees it; `shown` knows what they may see of people. */
export function toMessage(
  row: MessageRow,
  viewer: string,
  shown: Shown,
): MessageInitShape<typeof MessageSchema> {
  const received = row.recipient === viewer || row.holder === viewer;
  return {
    id: printId('msg', row.id),
    thread: printId('thr', row.thread),
    from: shown.address(row.sender_address),
    fromName: shown.name(row.sender_address, row.sender_name),
    fromStatus: toSenderStatus(row.sender_status),
    nameVerified: isNameVerified(row.sender_status),
    to: shown.address(row.recipient_address),
    title: row.title ?? undefined,
    text: row.body,
    data: (row.data ?? undefined) as JsonObject | undefined,
    replyTo: row.reply_to === null ? undefined : printId('msg', row.reply_to),
    at: timestampFromDate(row.at),
    // Read state is the reader's own: the sender never sees it.
    readAt: received && row.read_at !== null ? timestampFromDate(row.read_at) : undefined,
    box: received ? row.box : Box.SENT,
    // As which the recipient counts them is not told to the sender.
    requestKind: received ? (row.counts_as ?? row.request_kind) : row.request_kind,
    via: row.via,
    retracted: row.retracted_at !== null,
  };
}

export function toSent(
  row: MessageRow,
  delivery: Delivery,
  shown: Shown,
): MessageInitShape<typeof SendMessageResponseSchema> {
  return { ...toMessage(row, row.sender, shown), delivery } as MessageInitShape<
    typeof SendMessageResponseSchema
  >;
}

/** People and AIs with an owner bear names that somebody answers for. */
function isNameVerified(status: number): boolean {
  return status !== AiStatus.UNCLAIMED && status !== AiStatus.VOUCHED;
}

export function toThread(row: ThreadRow, shown: Shown): MessageInitShape<typeof ThreadSchema> {
  return {
    id: printId('thr', row.id),
    with: shown.address(row.other_address),
    lastAt: timestampFromDate(row.last_at),
    unread: row.unread,
    box: row.box,
  };
}
