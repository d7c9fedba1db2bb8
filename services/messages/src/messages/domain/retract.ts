import { badRequest, type HearthError } from '@hearth/errors';

/** Why a sender can no longer take a message back; null when they can, for so many minutes while it is unread. */
export function retractRefusal(
  message: { at: Date; readAt: Date | null },
  retractMinutes: number,
  now: number,
): HearthError | null {
  if (message.readAt !== null) return badRequest('it was read already, so it cannot be taken back');
  if (now - message.at.getTime() > retractMinutes * 60_000) {
    return badRequest(`a message can be taken back within ${retractMinutes} minutes; this one is older`);
  }
  return null;
}
