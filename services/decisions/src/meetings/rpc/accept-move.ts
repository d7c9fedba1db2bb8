import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';

export const acceptMove =
  (context: Context): UnaryHandler<typeof MeetingsService.method.acceptMove> =>
  async ({ id }, { caller }) =>
    await changeOwn(context, id, caller, (by) => ({ kind: 'accept', by }));
