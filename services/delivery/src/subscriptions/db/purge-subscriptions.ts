import { type Database, inBatches } from '@hearth/db';

/** Retention of each kind of row, in ms. */
export interface Kept {
  delivered: number;
  givenUp: number;
  ended: number;
  verified: number;
  started: number;
}

const batch = 5_000;

/** Deletes rows past retention, a batch at a time. */
export async function purgeSubscriptions(database: Database, now: number, kept: Kept): Promise<void> {
  const purge = (text: string, ...keptMs: number[]) =>
    inBatches(database, batch, (tx) => tx.execute({ text, values: keptMs.map((ms) => new Date(now - ms)) }));
  const older = (table: string, column: string) => `
    delete from delivery.${table} where ctid = any(array(
      select ctid from delivery.${table} where ${column} < $1 limit ${batch}))`;
  await purge(
    `delete from delivery.subscription_sends where ctid = any(array(
      select ctid from delivery.subscription_sends
      where status <> 1 and settled_at < case when status = 2 then $1::timestamptz else $2::timestamptz end
      limit ${batch}))`,
    kept.delivered,
    kept.givenUp,
  );
  await purge(
    `with gone as (${older('subscriptions', 'ended_at')} returning id),
      sends as (delete from delivery.subscription_sends s using gone where s.subscription = gone.id)
    delete from delivery.destinations d using gone where d.kind = 2 and d.id = gone.id`,
    kept.ended,
  );
  await purge(older('verified_addresses', 'verified_at'), kept.verified);
  await purge(older('subscription_starts', 'at'), kept.started);
}
