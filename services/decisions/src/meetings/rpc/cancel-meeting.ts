import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';

/** Called off twice it is called off once. */
export const cancelMeeting =
  (context: Context): UnaryHandler<typeof MeetingsService.method.cancelMeeting> =>
  async ({ id, reason = '' }, { caller }) =>
    await changeOwn(context, id, caller, (by) => ({ kind: 'cancel', by, reason }));
