import { sizeOf } from '@hearth/limits';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';
import { readMoment, readPeriod } from '../domain/read-slots.ts';

const { moveMeeting: method } = MeetingsService.method;

/** Proposes a move; replaces any earlier proposal by either side. */
export const moveMeeting =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) => {
    const { endsAt, reason = '', startsAt } = request;
    const now = context.clock.now();
    return await changeOwn(
      context,
      { caller, method, request },
      (by, { ends_at, starts_at, time_zone: zone }) => {
        const usual = ends_at.getTime() - starts_at.getTime();
        const bounds = { zone, now, aheadDays: sizeOf(context.limits, 'meeting_ahead_days') };
        const item = context.acts.said(caller)?.item;
        return {
          kind: 'propose',
          move: { by, ...readPeriod(request, usual, bounds), reason, at: now, item },
        };
      },
      // As an instant, so that it doesn't depend on the other home's time zone data.
      ({ time_zone: zone }) => {
        const instant = (text: string, field: string) =>
          new Date(readMoment(text, zone, field)).toISOString();
        const ends = endsAt === undefined ? {} : { endsAt: instant(endsAt, 'ends_at') };
        return { ...request, startsAt: instant(startsAt, 'starts_at'), ...ends };
      },
    );
  };
