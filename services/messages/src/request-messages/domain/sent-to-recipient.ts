import type { Announcement } from '@hearth/outbox';
import { Box } from '@hearth/proto/messages/v1/messages';
import { type AnnouncedMessage, messageSent } from '../../shared/domain/message-sent.ts';
import { announcedAddress } from '../../shared/domain/stored-address.ts';
import type { RequestRow } from '../db/request-messages.ts';

/** Announces a formerly waiting message to its recipient, in whose inbox it is now. */
export function sentToRecipient(
  message: RequestRow,
  more: Pick<AnnouncedMessage, 'by' | 'fromHome' | 'quiet'> = {},
): Announcement {
  return messageSent({
    ...message,
    recipient: { id: message.recipient, person: message.recipient === message.person },
    holder: null,
    from: announcedAddress(message.sender_address),
    fromName: message.sender_name,
    box: Box.INBOX,
    ...more,
  });
}
