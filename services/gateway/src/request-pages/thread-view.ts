import { parseAddress, printAddress } from '@hearth/addresses';
import { enumNames } from '@hearth/enum-names';
import { Via } from '@hearth/proto/common/v1/caller';
import {
  Box,
  Delivery,
  type Message,
  SenderStatus,
  SenderStatusSchema,
  type Thread,
} from '@hearth/proto/messages/v1/messages';
import type { Host } from '@hearth/runtime';
import type { ListedThread, OtherSide, ThreadMessage } from '@hearth/web';
import { msOf } from '../pages/module.ts';

const statuses = enumNames(SenderStatusSchema);
const isMine = ({ box }: Message) => box === Box.SENT;

const boxes: Readonly<Partial<Record<Box, 'requests' | 'front_door'>>> = {
  [Box.REQUESTS]: 'requests',
  [Box.FRONT_DOOR]: 'front_door',
};
const deliveries: Readonly<Partial<Record<Delivery, ThreadMessage['delivery']>>> = {
  [Delivery.HELD]: 'held',
  [Delivery.UNDELIVERABLE]: 'undeliverable',
};
const throughs: Readonly<Partial<Record<Via, ThreadMessage['through']>>> = {
  [Via.APP]: 'app',
  [Via.MCP]: 'program',
  [Via.API]: 'program',
};

/** @param messages newest first */
export function threadRow(thread: Thread, messages: readonly Message[]): ListedThread {
  const { id, unread, lastAt, box } = thread;
  const [newest] = messages;
  return {
    ...{ id, unread, with: otherSide(thread, messages), lastAtMs: msOf(lastAt) ?? 0 },
    box: boxes[box ?? Box.UNSPECIFIED],
    newest: newest && {
      ...{ mine: isMine(newest), retracted: newest.retracted },
      text: newest.title || newest.text,
    },
  };
}

/** Once the other party is gone, their name comes from their newest message. */
export function otherSide(
  { with: address, withName, nameVerified }: Thread,
  messages: readonly Message[],
): OtherSide {
  if (withName !== undefined) return { address, name: withName, nameVerified };
  const theirs = messages.find((message) => !isMine(message));
  return { address, name: theirs?.fromName, nameVerified: theirs?.nameVerified ?? false };
}

export interface Seen {
  homeNames: Host['homeNames'];
  /** Messages sent after this moment can be unsent. */
  takeBackSinceMs: number;
}

export function threadMessage(message: Message, { homeNames, takeBackSinceMs }: Seen): ThreadMessage {
  const { id, from, fromName, fromStatus, nameVerified, title = '', text, retracted, via } = message;
  const mine = isMine(message);
  const atMs = msOf(message.at) ?? 0;
  const ai = fromStatus !== SenderStatus.PERSON && fromStatus !== SenderStatus.UNSPECIFIED;
  return {
    ...{ id, mine, fromName, nameVerified, atMs, title, text, retracted },
    ...(ai && {
      ai: {
        status: statuses.nameOf(fromStatus) as NonNullable<ThreadMessage['ai']>['status'],
        of: fromStatus === SenderStatus.CLAIMED ? ownerOf(from, homeNames) : undefined,
      },
    }),
    isNew: !mine && message.readAt === undefined && !retracted,
    through: mine ? throughs[via] : undefined,
    delivery: mine && message.delivery !== undefined ? deliveries[message.delivery] : undefined,
    mayTakeBack: mine && !retracted && atMs > takeBackSinceMs,
  };
}

/** The message with which a thread waits to be accepted. */
export function waitingMessage(messages: readonly Message[]): string | undefined {
  return messages.find(({ box }) => box === Box.REQUESTS)?.id;
}

/** The address of the person or group that owns the AI with this address. */
function ownerOf(address: string, homeNames: Host['homeNames']): string | undefined {
  const read = parseAddress(address, homeNames);
  if (read?.kind !== 'ai') return undefined;
  const { handle, home, ofGroup } = read;
  return printAddress({ kind: ofGroup ? 'group' : 'person', handle, ...(home !== undefined && { home }) });
}
