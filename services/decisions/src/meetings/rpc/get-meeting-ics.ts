import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { calendarOf } from '../actions/calendar.ts';
import { sideOf } from '../actions/change-meeting.ts';
import { findOwnMeeting } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';

export const getMeetingIcs =
  (context: Context): UnaryHandler<typeof MeetingsService.method.getMeetingIcs> =>
  async ({ id }, { caller }) => {
    const row = await findOwnMeeting(context, id, caller);
    return { text: calendarOf(context, row, sideOf(row, viewerIdOf(caller)), context.languages.of(caller)) };
  };
