import { nowDate } from '@hearth/clock';
import { restoreLocked } from '../actions/change-suspension.ts';
import type { Context } from '../context.ts';
import { lockRestoredApps } from '../db/apps.ts';

/**
 * Announces expired suspensions, so that events are sent to the apps again. Their keys work from the moment
 * of expiry.
 */
export async function endSuspensions({ clock, commit }: Pick<Context, 'clock' | 'commit'>): Promise<void> {
  await commit(async (tx) => {
    for (const app of await lockRestoredApps(tx, nowDate(clock))) await restoreLocked(tx, app);
  });
}
