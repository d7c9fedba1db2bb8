import { nowDate } from '@hearth/clock';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordAppRotation } from '../../shared/actions/metrics.ts';
import type { AppsContext } from '../context.ts';
import { countLiveAppKeys, endAppKeys, insertAppKey, listAppKeys } from '../db/app-keys.ts';
import { lockApp } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { appChanged } from '../domain/events.ts';
import { checkLiveKeys, overlapEndsAt } from '../domain/overlap.ts';
import { toAppKey } from '../domain/to-app.ts';
import type { AppsHandlers } from '../handlers.ts';

/** More than can work at once: those that ended of late are shown with them. */
const keysShown = 20;

/** Gives the calling app a new key and lets its old ones end. */
export function rotateAppKey(context: AppsContext): AppsHandlers['rotateAppKey'] {
  const { bus, clock, database, ids, outbox, secrets } = context;
  return async ({ overlapHours }, { caller }) => {
    const app = callingApp(caller);
    const key = secrets.newKey();
    const rows = [appChanged(outbox, app, ['keys'], caller)];
    const keys = await database.transaction(async (tx) => {
      if ((await lockApp(tx, app)) === null) throw appGone();
      const now = nowDate(clock);
      checkLiveKeys(await countLiveAppKeys(tx, app, now), overlapHours);
      await endAppKeys(tx, app, overlapEndsAt(overlapHours, now));
      await insertAppKey(tx, { id: ids.uuid(), app, hash: key.hash, prefix: key.prefix }, now);
      await outbox.announce(tx, rows);
      return await listAppKeys(tx, app, keysShown);
    });
    outbox.committed(rows);
    credentialsChanged(bus, app);
    recordAppRotation({ of: 'key' });
    return { appKey: key.text, keys: keys.map(toAppKey) };
  };
}
