import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { changeSuspension } from '../actions/change-suspension.ts';
import type { Context } from '../context.ts';

/** Ends a suspension; an app that is not suspended stays as it is. */
export const restoreApp =
  (context: Context): UnaryHandler<typeof AppsService.method.restoreApp> =>
  async ({ id, reason }, { caller: by }) =>
    await changeSuspension(context, id, null, { by, reason });
