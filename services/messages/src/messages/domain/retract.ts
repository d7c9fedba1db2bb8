import { badRequest, type HearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';

/** The reason why a sender can no longer take a message back; null for so many minutes while it is unread. */
export function retractRefusal(
  { at, read_at }: Pick<MessageRow, 'at' | 'read_at'>,
  retractMinutes: number,
  now: number,
): HearthError | null {
  if (read_at !== null) return badRequest('it was read already, so it cannot be taken back');
  if (now - at.getTime() > retractMinutes * 60_000) {
    return badRequest(`a message can be taken back within ${retractMinutes} minutes; this one is older`);
  }
  return null;
}

export function messageRetracted({ id, recipient }: Pick<MessageRow, 'id' | 'recipient'>): Announcement {
  return {
    data: { case: 'messageRetracted', value: { messageId: printId('msg', id), to: recipient } },
    topics: [mailboxTopic(recipient)],
  };
}
