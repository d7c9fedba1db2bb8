import type { MessageNotice } from '@hearth/proto/events/v1/events';
import { Box } from '@hearth/proto/messages/v1/messages';

/** A message as far as it decides whom a notice of it goes to, and what that says. */
export interface NoticedMessage {
  box: Box;
  quiet: boolean;
  /** Of the recipient: whether they are a person, and their uuid. */
  recipient: { id: string; person: boolean };
  /** uuid of who sees it first, when that is not the recipient. */
  holder: string | null;
  /** As others read it. */
  fromName: string;
  title: string | null;
  /** uuid of the person whose own act it is; empty for an AI's. */
  by: string;
}

/**
 * What a person is told of a message: the recipient of what lies in their inbox, the guardian of what waits with them for
 * somebody under 18. Undefined for an AI, and for what waits in one's own requests.
 */
export function messageNotice(
  message: NoticedMessage,
): Pick<MessageNotice, 'fromName' | 'title' | 'about' | 'by'> | undefined {
  const { box, quiet, recipient, holder, fromName, title, by } = message;
  if (!recipient.person || quiet) return undefined;
  const words = { fromName, title: title ?? '', by };
  if (box === Box.INBOX && holder === null) return { ...words, about: '' };
  return box === Box.REQUESTS && holder !== null ? { ...words, about: recipient.id } : undefined;
}
