import { sizeOf } from '@hearth/limits';
import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { sideOf } from '../actions/change-meeting.ts';
import { findOwnMeeting } from '../actions/find-visible.ts';
import { tellMove } from '../actions/send-offer.ts';
import { showMeeting } from '../actions/show.ts';
import type { Context } from '../context.ts';
import { noteTold } from '../db/meetings.ts';
import { readPeriod } from '../domain/read-slots.ts';

/** Proposes another time; a later proposal, of whichever side, takes the place of an earlier one. */
export const moveMeeting =
  (context: Context): UnaryHandler<typeof MeetingsService.method.moveMeeting> =>
  async (request, { caller }) => {
    const { clock, commit, limits, log, meetings } = context;
    const viewer = viewerIdOf(caller);
    const found = await findOwnMeeting(context, request.id, caller);
    const bounds = {
      zone: found.time_zone,
      now: clock.now(),
      aheadDays: sizeOf(limits, 'meeting_ahead_days'),
    };
    const usual = found.ends_at.getTime() - found.starts_at.getTime();
    const move = {
      by: sideOf(found, viewer),
      ...readPeriod(request, usual, bounds),
      reason: request.reason ?? '',
      at: clock.now(),
    };
    const { state } = await meetings.act(found.id, () => ({ act: { kind: 'propose', move }, by: caller }));
    try {
      await tellMove(context, state);
      await commit((tx) => noteTold(tx, state.id, state.move));
    } catch (err) {
      log.warn({ err, meeting: state.id }, 'a proposed move waits to be told');
    }
    return showMeeting(context, state, viewer);
  };
