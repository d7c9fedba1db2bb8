import { type Clock, day } from '@hearth/clock';
import { type Database, lockName, named, type Tx } from '@hearth/db';

export interface EventRow {
  id: string;
  at: Date;
  type: string;
  event: Buffer;
}

/** A day more than the promised week. */
const keepDays = 8;

export async function insertEvents(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  await tx.execute(named('delivery_insert_events')`
    insert into delivery.events (id, at, type, event)
    select * from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.event)}::bytea[])
    on conflict do nothing`);
}

/** Creates the partitions of the next days, and drops those past retention. */
export async function purgeEvents(database: Database, clock: Clock): Promise<void> {
  const today = clock.now();
  await database.transaction(async (tx) => {
    await lockName(tx, 'delivery.events');
    for (let ahead = 0; ahead <= 3; ahead += 1) {
      await tx.execute({
        text: `select delivery.make_partition($1::date)`,
        values: [new Date(today + ahead * day).toISOString().slice(0, 10)],
      });
    }
    await tx.execute({
      text: `select delivery.drop_partitions($1::date)`,
      values: [new Date(today - (keepDays + 1) * day).toISOString().slice(0, 10)],
    });
  });
}
