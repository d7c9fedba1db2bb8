import type { MessageInitShape } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { AiStatus, AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { MessageFromHomeSchema } from '@hearth/proto/events/v1/events';
import { Box, BoxSchema } from '@hearth/proto/messages/v1/messages';
import { mailboxTopic } from './topics.ts';

/** inbox, requests or front_door, as events name them. */
export const boxNames = enumNames(BoxSchema);

/** A message as its event describes it. */
export interface AnnouncedMessage {
  id: string;
  thread: string;
  /** Address of the sender; empty for a person under 18, because not every consumer may see who they are. */
  from: string;
  /** The sender's name as others read it. */
  fromName: string;
  title?: string | null;
  recipient: { id: string; person: boolean };
  /** Sees it first, when that is not the recipient. */
  holder?: string | null;
  box: Box;
  /** Wakes no one. */
  quiet?: boolean;
  /** uuid of the person whose own act it is; empty for an AI's. */
  by?: string;
  /** uuids of groups that both sides are in. */
  groups?: readonly string[];
  /** For the app that holds the recipient, of a message of another home that is in their inbox now. */
  fromHome?: MessageInitShape<typeof MessageFromHomeSchema> | null;
}

/** The message is there for its holder, or else for its recipient. */
export function messageSent(message: AnnouncedMessage): Announcement {
  const { id, thread, from, recipient, holder, box, quiet = false, groups = [], fromHome } = message;
  const to = holder ?? recipient.id;
  const about = noticeAbout(message);
  const value = {
    messageId: printId('msg', id),
    thread: printId('thr', thread),
    from,
    to,
    box: boxNames.nameOf(box),
    quiet,
    groups: [...groups],
    ...(about !== undefined && { notice: noticeOf(message, about) }),
    ...(fromHome != null && { fromHome }),
  };
  return { data: { case: 'messageSent', value }, topics: [mailboxTopic(to)] };
}

function noticeOf({ fromName, title, by = '' }: AnnouncedMessage, about: string) {
  return { fromName, title: title ?? '', by, about };
}

/**
 * A notice goes to the person with the message in their inbox, and to the guardian with whom a message to a person under
 * 18 waits (about that person). Undefined where no notice goes out: for an AI, and for a message in one's own requests.
 */
function noticeAbout({ box, quiet, recipient, holder }: AnnouncedMessage): string | undefined {
  if (!recipient.person || quiet) return undefined;
  if (box === Box.INBOX) return holder ? undefined : '';
  return box === Box.REQUESTS && holder ? recipient.id : undefined;
}

const statuses = enumNames(AiStatusSchema);

/** A message of another home for the app that holds its recipient. */
export function fromHome(
  row: {
    recipient: string;
    sender_name: string;
    sender_status: number;
    title: string | null;
    body: string;
    reply_to: string | null;
  },
  { app, envelope }: { app: string; envelope: string },
): MessageInitShape<typeof MessageFromHomeSchema> {
  const ai = row.sender_status !== AiStatus.UNSPECIFIED;
  return {
    ...{ person: row.recipient, app, envelope, name: row.sender_name, ai },
    ownerStatus: ai ? statuses.nameOf(row.sender_status) : '',
    ...{ title: row.title ?? '', text: row.body },
    replyTo: row.reply_to === null ? '' : printId('msg', row.reply_to),
  };
}
