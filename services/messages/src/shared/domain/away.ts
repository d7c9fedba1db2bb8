import { printReference } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import type { MessageRow } from '../db/message-row.ts';
import { kindNames } from './items.ts';
import { homeOf } from './stored-address.ts';

/** The things that an item to another home says beside the message. */
export interface Away {
  /** The sender, as the other home may know them. */
  sender: Record<string, unknown>;
  /** r:<home>:<id>, as both homes know them. */
  thread: string;
  replyTo: string | null;
  /** uuid of the sender's message before it in that thread, while that is on its way; null where none is. */
  after: string | null;
}

/** The service that other homes' answers come back to. */
const service = 'messages';

/** A message to another home, which has it in custody from then on. */
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

/** The other home takes it back, too, while it is unread there. */
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
