import { printReference } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { MessageRow } from '../db/message-row.ts';
import { kindNames } from './items.ts';
import { homeOf } from './stored-address.ts';

/** The parts of an item to another home besides the message. */
export interface Away {
  /** The sender as the other home may know them. */
  sender: Record<string, unknown>;
  /** r:<home>:<id>, the reference that both homes use. */
  thread: string;
  replyTo: string | null;
  /** uuid of the sender's previous message in the thread while it is in transit; otherwise null. */
  after: string | null;
}

/** The service that receives other homes' answers. */
const service = 'messages';

/** Hands a message over for delivery to another home. */
export function messageAway(row: MessageRow, { sender, thread, replyTo, after }: Away): Announcement {
  const { title, data, body: text } = row;
  const body = {
    thread,
    ...(replyTo !== null && { reply_to: replyTo }),
    ...(title !== null && { title }),
    text,
    ...(data !== null && { data_json: JSON.stringify(data) }),
    request_kind: kindNames.nameOf(row.request_kind),
  };
  return {
    data: {
      case: 'itemForHomes',
      value: {
        service,
        type: HomeItemType.MESSAGE,
        id: printId('msg', row.id),
        rev: 1n,
        homes: [{ home: homeOf(row.recipient_address), to: [row.recipient_address] }],
        from: row.sender_address,
        senderJson: JSON.stringify(sender),
        bodyJson: JSON.stringify(body),
        after: after === null ? '' : printId('msg', after),
      },
    },
  };
}

/** Asks the other home to retract the message while it is unread there. */
export function retractedAway({ id, recipient_address }: MessageRow, ownHome: string): Announcement {
  const erased = printReference({ home: ownHome, id: printId('msg', id) });
  return {
    data: {
      case: 'itemForHomes',
      value: {
        service,
        type: HomeItemType.ERASED,
        homes: [{ home: homeOf(recipient_address) }],
        bodyJson: JSON.stringify({ id: erased, rev: 2 }),
      },
    },
  };
}
