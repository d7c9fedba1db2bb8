import { nowDate } from '@hearth/clock';
import { fixed, sizeOf } from '@hearth/limits';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { recordAppRotation } from '../../shared/actions/metrics.ts';
import { newSalt, randomOf, requireShown } from '../../shared/actions/secret-again.ts';
import { countLiveKeys, endKeys, insertAppKey, isLiveKey, listKeys } from '../../shared/db/keys.ts';
import { toKey } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';
import { lockApp } from '../db/apps.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { appChanged } from '../domain/events.ts';
import { checkLiveKeys, overlapEndsAt } from '../domain/overlap.ts';

/** More than the keys that can work at once, so that recently ended ones are shown too. */
const keysShown = 20;

/** Gives the calling app a new key and ends its old ones after the overlap. */
export const rotateAppKey =
  (context: Context): UnaryHandler<typeof AppsService.method.rotateAppKey> =>
  async (request, call) => {
    const { clock, commit, database, ids, limits, rotations, sealer, secrets } = context;
    const { caller } = call;
    const usual = Math.min(fixed.usual_app_key_overlap_hours, sizeOf(limits, 'app_key_overlap_hours'));
    const overlapHours = request.overlapHours ?? usual;
    const app = callingApp(caller);
    return await rotations.once(call, AppsService.method.rotateAppKey, request, {
      async make(claim) {
        const salted = newSalt(context);
        const { text, hash, prefix } = secrets.newKey(randomOf(sealer, salted));
        const keys = await commit(async (tx) => {
          await claim(tx, salted);
          if ((await lockApp(tx, app)) === null) throw appGone();
          const now = nowDate(clock);
          checkLiveKeys(await countLiveKeys(tx, { app }, now), overlapHours);
          await endKeys(tx, { app }, overlapEndsAt(overlapHours, now));
          await insertAppKey(tx, { id: ids.uuid(), app, hash, prefix }, now);
          tx.announce(appChanged(app, ['keys'], caller));
          tx.signal('credentials', app);
          return await listKeys(tx, { app }, keysShown);
        });
        recordAppRotation({ of: 'key' });
        return { appKey: text, keys: keys.map(toKey) };
      },
      async repeat(salted) {
        const { text, hash } = secrets.newKey(randomOf(sealer, salted));
        requireShown(salted, clock, await isLiveKey(database.db, { app }, hash, nowDate(clock)));
        return { appKey: text, keys: (await listKeys(database.db, { app }, keysShown)).map(toKey) };
      },
    });
  };
