import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
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
}

/** The message is there for its holder, or else for its recipient. */
export function messageSent(message: AnnouncedMessage): Announcement {
  const { id, thread, from, recipient, holder, box, quiet = false, groups = [] } = message;
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
