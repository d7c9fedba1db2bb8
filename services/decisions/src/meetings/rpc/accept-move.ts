import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import { readMoment } from '../domain/read-slots.ts';

const { acceptMove: method } = MeetingsService.method;

/** Accepts the proposed move; states the accepted times to a remote home. */
export const acceptMove =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) => {
    const { endsAt, startsAt } = request;
    const read = ({ time_zone }: MeetingRow) => ({
      starts: startsAt === undefined ? undefined : readMoment(startsAt, time_zone, 'starts_at'),
      ends: endsAt === undefined ? undefined : readMoment(endsAt, time_zone, 'ends_at'),
    });
    return await changeOwn(
      context,
      { caller, method, request },
      (by, row) => ({ kind: 'accept', by, ...read(row) }),
      (row) => {
        const { starts = row.move?.starts, ends = row.move?.ends } = read(row);
        return { ...request, startsAt: instant(starts), endsAt: instant(ends) };
      },
    );
  };

const instant = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
