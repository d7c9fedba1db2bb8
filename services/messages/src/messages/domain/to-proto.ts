import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  Box,
  Delivery,
  type MessageSchema,
  type SendMessageResponseSchema,
  type ThreadSchema,
} from '@hearth/proto/messages/v1/messages';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { isNameVerified, toSenderStatus } from '../../shared/domain/sender-status.ts';
import { isElsewhere } from '../../shared/domain/stored-address.ts';
import type { ThreadRow } from '../db/threads.ts';
import type { Correspondent } from './correspondent.ts';
import { deliveryOf } from './placement.ts';

/** How one reader sees the sides of messages. */
export interface ShownSides {
  address(stored: string): string;
  /** @param stored the address of the side with this name */
  name(stored: string, name: string): string;
}

/** For sides that are all adults. */
export const asStored: ShownSides = { address: (stored) => stored, name: (_, name) => name };

/** The stored addresses of both sides. */
export function sidesOf(row: MessageRow): string[] {
  return [row.sender_address, row.recipient_address];
}

/** A message as `viewer`, one of its sides or its holder, sees it. */
export function toMessage(
  row: MessageRow,
  viewer: string,
  sides: ShownSides,
): MessageInitShape<typeof MessageSchema> {
  const received = row.recipient === viewer || row.holder === viewer;
  return {
    id: printId('msg', row.id),
    thread: printId('thr', row.thread),
    from: sides.address(row.sender_address),
    fromName: sides.name(row.sender_address, row.sender_name),
    fromStatus: toSenderStatus(row.sender_status),
    nameVerified: isNameVerified(row),
    to: sides.address(row.recipient_address),
    title: row.title ?? undefined,
    text: row.body,
    data: (row.data ?? undefined) as JsonObject | undefined,
    replyTo: row.reply_to === null ? undefined : printId('msg', row.reply_to),
    at: timestampFromDate(row.at),
    // The sender never sees whether the message was read.
    readAt: received && row.read_at !== null ? timestampFromDate(row.read_at) : undefined,
    box: received ? row.box : Box.SENT,
    // The sender does not see which kind the recipient assigned to them.
    requestKind: received ? (row.counts_as ?? row.request_kind) : row.request_kind,
    via: row.via,
    retracted: row.retracted_at !== null,
    ...(row.sender === viewer &&
      isElsewhere(row.recipient_address) && { delivery: deliveryOf(row), why: row.why ?? undefined }),
  };
}

export function toSent(
  row: MessageRow,
  sides: ShownSides,
): MessageInitShape<typeof SendMessageResponseSchema> {
  const delivery = deliveryOf(row);
  return {
    ...toMessage(row, row.sender, sides),
    delivery,
    ...(delivery === Delivery.DECLINED && { politeNo }),
  } as MessageInitShape<typeof SendMessageResponseSchema>;
}

/** @param other the current other side; null if it is gone */
export function toThread(
  row: ThreadRow,
  sides: ShownSides,
  other: Pick<Correspondent, 'name' | 'aiStatus'> | null,
): MessageInitShape<typeof ThreadSchema> {
  return {
    id: printId('thr', row.id),
    with: sides.address(row.other_address),
    lastAt: timestampFromDate(row.last_at),
    unread: row.unread,
    box: row.box,
    ...(other !== null && {
      withName: sides.name(row.other_address, other.name),
      nameVerified: isNameVerified({ sender_status: other.aiStatus, sender_address: row.other_address }),
    }),
  };
}
