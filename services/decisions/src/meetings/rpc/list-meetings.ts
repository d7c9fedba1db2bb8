import { timestampDate } from '@bufbuild/protobuf/wkt';
import { placeCursor, readPage } from '@hearth/paging';
import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { showMeeting } from '../actions/show.ts';
import type { Context } from '../context.ts';
import { listMeetings as find, type ListedMeetings } from '../db/meetings.ts';
import { meetingStatuses } from '../domain/enum-names.ts';

export const listMeetings =
  (context: Context): UnaryHandler<typeof MeetingsService.method.listMeetings> =>
  async (request, { caller }) => {
    const { clock, database } = context;
    const viewer = viewerIdOf(caller);
    const listed = {
      viewer,
      since: request.since === undefined ? null : timestampDate(request.since),
      until: request.until === undefined ? null : timestampDate(request.until),
      status: (meetingStatuses.nameOf(request.status ?? 0) || null) as ListedMeetings['status'],
      now: new Date(clock.now()),
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (after, limit) => find(database.db, listed, after, limit),
      placeOf: ({ starts_at, id }) => ({ at: starts_at, id }),
    });
    return { meetings: rows.map((row) => showMeeting(context, row, viewer)), nextCursor };
  };
