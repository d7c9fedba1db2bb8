import type { AppsContext } from '../../apps-context.ts';
import { findApp } from '../../db/apps.ts';
import { appGone, callingApp } from './calling-app.ts';
import type { AppsHandlers } from './index.ts';
import { toApp } from './to-app.ts';

/** The calling app. */
export function getApp({ database }: AppsContext): AppsHandlers['getApp'] {
  return async (_request, { caller }) => {
    const app = await findApp(database.db, callingApp(caller));
    if (app === null) throw appGone();
    return toApp(app);
  };
}
