import { sizeOf } from '@hearth/limits';
import { MeetingsService, type MoveMeetingRequest } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { sideOf } from '../actions/change-meeting.ts';
import { findOwnMeeting } from '../actions/find-visible.ts';
import { changeThere, isElsewhere } from '../actions/on-elsewhere.ts';
import { tellMove } from '../actions/send-offer.ts';
import { showMeeting } from '../actions/show.ts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import { readMoment, readPeriod } from '../domain/read-slots.ts';

const { moveMeeting: method } = MeetingsService.method;

/** Proposes another time; a later proposal, of whichever side, takes the place of an earlier one. */
export const moveMeeting =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) => {
    const { clock, limits, log, meetings } = context;
    const viewer = viewerIdOf(caller);
    const found = await findOwnMeeting(context, request.id, caller);
    if (isElsewhere(found))
      return await changeThere(context, found, method, inInstants(request, found), caller);
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
      item: context.acts.said(caller)?.item,
    };
    const { state } = await meetings.act(found.id, () => ({ act: { kind: 'propose', move }, by: caller }));
    try {
      await tellMove(context, state);
    } catch (err) {
      log.warn({ err, meeting: state.id }, 'a proposed move waits to be told');
    }
    return showMeeting(context, state, viewer);
  };

/** A local time means the same at every home. */
function inInstants(request: MoveMeetingRequest, { time_zone: zone }: MeetingRow): MoveMeetingRequest {
  const instant = (text: string, field: string) => new Date(readMoment(text, zone, field)).toISOString();
  const { endsAt, startsAt } = request;
  return {
    ...request,
    startsAt: instant(startsAt, 'starts_at'),
    ...(endsAt !== undefined && { endsAt: instant(endsAt, 'ends_at') }),
  };
}
