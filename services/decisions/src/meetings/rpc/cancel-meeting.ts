import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';

const { cancelMeeting: method } = MeetingsService.method;

/** Cancels a meeting. Idempotent. An act by rule from another home cancels for a side that is gone. */
export const cancelMeeting =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) => {
    const byItself = context.acts.of(caller)?.byRule === true;
    const { reason = '' } = request;
    return await changeOwn(context, { caller, method, request }, (by) => ({
      kind: 'cancel',
      by: byItself ? null : by,
      reason,
    }));
  };
