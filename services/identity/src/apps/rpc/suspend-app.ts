import { nowDate } from '@hearth/clock';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { readSuspension } from '../../shared/actions/read-suspension.ts';
import { changeSuspension } from '../actions/change-suspension.ts';
import type { Context } from '../context.ts';

/** Suspends an app until a moment; repeating it changes the moment. */
export const suspendApp =
  (context: Context): UnaryHandler<typeof AppsService.method.suspendApp> =>
  async (request, { caller: by }) => {
    const { id, reason } = request;
    const suspension = readSuspension(context.limits, request, nowDate(context.clock));
    return await changeSuspension(context, id, suspension, { by, reason });
  };
