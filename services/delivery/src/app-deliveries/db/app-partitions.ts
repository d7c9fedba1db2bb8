import { type Clock, day } from '@hearth/clock';
import { type Database, lockName, sql } from '@hearth/db';

const week = 7 * day;
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * day;

/** Creates the partitions of this week and the next, and drops those past retention. */
export async function purgeAppEvents(database: Database, clock: Clock, keptMs: number): Promise<void> {
  const now = clock.now();
  const monday = now - ((now - firstMonday) % week);
  await database.transaction(async (tx) => {
    await lockName(tx, 'delivery.app_events');
    for (const starts of [monday, monday + week]) {
      await tx.execute(sql`
        select delivery.make_app_partition(${new Date(starts).toISOString().slice(0, 10)}::date)`);
    }
    await tx.execute(sql`select delivery.drop_app_partitions(${new Date(now - keptMs)})`);
  });
}
