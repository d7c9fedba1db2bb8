import { nowDate } from '@hearth/clock';
import { restoreLocked } from '../actions/change-suspension.ts';
import type { Context } from '../context.ts';
import { lockRestoredApps } from '../db/apps.ts';

/** Announces the end of suspensions whose time is over: their addresses are used again. Their keys work from that time on. */
export async function endSuspensions({ clock, commit }: Pick<Context, 'clock' | 'commit'>): Promise<void> {
  await commit(async (tx) => {
    for (const app of await lockRestoredApps(tx, nowDate(clock))) await restoreLocked(tx, app);
  });
}
