import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findApp } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { toApp } from '../domain/to-app.ts';

/** The calling app. */
export const getApp =
  ({ database }: Context): UnaryHandler<typeof AppsService.method.getApp> =>
  async (_request, { caller }) => {
    const app = await findApp(database.db, callingApp(caller));
    if (app === null) throw appGone();
    return toApp(app);
  };
