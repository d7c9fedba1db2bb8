import { badRequest, type HearthError } from '@hearth/errors';
import type { MessageRow } from '../../shared/db/message-row.ts';

/**
 * Why the sender can no longer retract a message; null while it is unread and at most `retractMinutes` old.
 */
export function retractRefusal(
  { at, read_at }: Pick<MessageRow, 'at' | 'read_at'>,
  retractMinutes: number,
  now: number,
): HearthError | null {
  if (read_at !== null)
    return badRequest('it was read already, so it cannot be taken back', { code: 'already_settled' });
  if (now - at.getTime() > retractMinutes * 60_000) {
    return badRequest(`a message can be taken back within ${retractMinutes} minutes; this one is older`, {
      code: 'already_settled',
    });
  }
  return null;
}
