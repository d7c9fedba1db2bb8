import type { AppsContext } from '../context.ts';
import { findApp } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { toApp } from '../domain/to-app.ts';
import type { AppsHandlers } from '../handlers.ts';

/** The calling app. */
export function getApp({ database }: AppsContext): AppsHandlers['getApp'] {
  return async (_request, { caller }) => {
    const app = await findApp(database.db, callingApp(caller));
    if (app === null) throw appGone();
    return toApp(app);
  };
}
