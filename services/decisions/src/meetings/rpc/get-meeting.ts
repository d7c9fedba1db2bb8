import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findOwnMeeting } from '../actions/find-visible.ts';
import { isElsewhere } from '../actions/on-elsewhere.ts';
import { showMeeting } from '../actions/show.ts';
import type { Context } from '../context.ts';

export const getMeeting =
  (context: Context): UnaryHandler<typeof MeetingsService.method.getMeeting> =>
  async ({ id }, { caller }) => {
    const row = await findOwnMeeting(context, id, caller);
    const shown = showMeeting(context, row, viewerIdOf(caller));
    const pending =
      isElsewhere(row) && (await context.copies.meetings.isPending(row.elsewhere.reference, [row.guest.id]));
    return pending ? { ...shown, pending } : shown;
  };
