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
import type { MessageRow } from '../db/message-row.ts';
import type { ThreadRow } from '../db/threads.ts';

const senderStatuses: Record<number, SenderStatus> = {
  [AiStatus.CLAIMED]: SenderStatus.CLAIMED,
  [AiStatus.VOUCHED]: SenderStatus.VOUCHED,
  [AiStatus.UNCLAIMED]: SenderStatus.UNCLAIMED,
};

/** A message as `viewer` (one of its two sides) sees it. */
export function toMessage(row: MessageRow, viewer: string): MessageInitShape<typeof MessageSchema> {
  const received = row.recipient === viewer;
  return {
    id: printId('msg', row.id),
    thread: printId('thr', row.thread),
    from: row.sender_address,
    fromName: row.sender_name,
    fromStatus: senderStatuses[row.sender_status] ?? SenderStatus.PERSON,
    nameVerified: row.sender_status !== AiStatus.UNCLAIMED,
    to: row.recipient_address,
    title: row.title ?? undefined,
    text: row.body,
    data: (row.data ?? undefined) as JsonObject | undefined,
    replyTo: row.reply_to === null ? undefined : printId('msg', row.reply_to),
    at: timestampFromDate(row.at),
    // Read state is the reader's own: the sender never sees it.
    readAt: received && row.read_at !== null ? timestampFromDate(row.read_at) : undefined,
    box: received ? row.box : Box.SENT,
    requestKind: row.request_kind,
    via: row.via,
    retracted: row.retracted_at !== null,
  };
}

export function toSent(
  row: MessageRow,
  delivery: Delivery,
): MessageInitShape<typeof SendMessageResponseSchema> {
  return { ...toMessage(row, row.sender), delivery } as MessageInitShape<typeof SendMessageResponseSchema>;
}

export function toThread(row: ThreadRow): MessageInitShape<typeof ThreadSchema> {
  return {
    id: printId('thr', row.id),
    with: row.other_address,
    lastAt: timestampFromDate(row.last_at),
    unread: row.unread,
    box: row.box,
  };
}
