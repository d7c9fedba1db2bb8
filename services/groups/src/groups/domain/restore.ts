import { badRequest, forbidden, type HearthError } from '@hearth/errors';
import { isPastEnd } from './ended.ts';

interface Archived {
  ends_at: Date | null;
  archived_at: Date | null;
  archived_why: string | null;
  archived_by: string | null;
}

/** Why this organizer cannot restore the group; null if they can. */
export function restoreRefusal(
  group: Archived,
  organizer: string,
  now: number,
  withinDays: number,
): HearthError | null {
  const { archived_at: at, archived_why: why, archived_by: by } = group;
  if (why === 'ended' || isPastEnd(group, now)) {
    return badRequest('this group has ended, and what has ended stays so', { code: 'archived' });
  }
  if (at === null) return badRequest('this group is not archived', { code: 'already_settled' });
  if (by !== organizer) return forbidden('only the organizer who archived the group can restore it');
  if (now - at.getTime() > withinDays * dayMs) {
    return badRequest(`a group can be restored for ${withinDays} days; this one was archived before`, {
      code: 'archived',
    });
  }
  return null;
}

const dayMs = 86_400_000;
