import type { MessageInitShape } from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { AiStatus, AiStatusSchema } from '@hearth/proto/common/v1/caller';
import type { MessageFromHomeSchema } from '@hearth/proto/events/v1/events';
import { Box, BoxSchema } from '@hearth/proto/messages/v1/messages';
import { mailboxTopic } from './topics.ts';

/** Box names in events: inbox, requests or front_door. */
export const boxNames = enumNames(BoxSchema);

/** A message as its event describes it. */
export interface AnnouncedMessage {
  id: string;
  thread: string;
  /** The sender's address; empty for a person under 18, because not every consumer may identify them. */
  from: string;
  /** The sender's name as others see it. */
  fromName: string;
  title?: string | null;
  recipient: { id: string; person: boolean };
  /** uuid of whoever sees it before the recipient; null if no one does. */
  holder?: string | null;
  box: Box;
  /** Whether it wakes no one. */
  quiet?: boolean;
  /** uuid of the person whose own act it is; empty if an AI acted. */
  by?: string;
  /** uuids of groups that both sides belong to. */
  groups?: readonly string[];
  /** For the recipient's app: a remote message that is now in the inbox. */
  fromHome?: MessageInitShape<typeof MessageFromHomeSchema> | null;
}

/** Announces a message to its holder or, without one, to its recipient. */
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
 * The person that a notice about the message concerns: empty for the recipient of a message in their inbox;
 * the child, for a guardian who holds a message to them. Undefined if no notice is sent: to an AI, or about a
 * message in one's own requests.
 */
function noticeAbout({ box, quiet, recipient, holder }: AnnouncedMessage): string | undefined {
  if (!recipient.person || quiet) return undefined;
  if (box === Box.INBOX) return holder ? undefined : '';
  return box === Box.REQUESTS && holder ? recipient.id : undefined;
}

const statuses = enumNames(AiStatusSchema);

/** A remote message, for the app that holds its recipient. */
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
