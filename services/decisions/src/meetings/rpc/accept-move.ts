import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';
import { readMoment } from '../domain/read-slots.ts';

export const acceptMove =
  (context: Context): UnaryHandler<typeof MeetingsService.method.acceptMove> =>
  async ({ id, startsAt, endsAt }, { caller }) =>
    await changeOwn(context, id, caller, (by, zone) => ({
      kind: 'accept',
      by,
      starts: startsAt === undefined ? undefined : readMoment(startsAt, zone, 'starts_at'),
      ends: endsAt === undefined ? undefined : readMoment(endsAt, zone, 'ends_at'),
    }));
