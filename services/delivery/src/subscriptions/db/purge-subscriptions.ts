import type { Database, Statement } from '@hearth/db';

/** From when on what is left is removed. */
export interface PurgeBefore {
  delivered: Date;
  givenUp: Date;
  ended: Date;
  verified: Date;
  started: Date;
}

const batch = 5_000;

/** Removes what nobody asks for any more, a batch at a time. */
export async function purgeSubscriptions(database: Database, before: PurgeBefore): Promise<void> {
  const { delivered, givenUp, ended, verified, started } = before;
  const statements: Statement[] = [
    {
      text: `
        delete from delivery.subscription_sends where ctid = any(array(
          select ctid from delivery.subscription_sends
          where status <> 1 and settled_at < case when status = 2 then $1::timestamptz else $2::timestamptz end
          limit ${batch}))`,
      values: [delivered, givenUp],
    },
    {
      text: `
        with gone as (
          delete from delivery.subscriptions where ctid = any(array(
            select ctid from delivery.subscriptions where ended_at < $1 limit ${batch}))
          returning id),
        sends as (delete from delivery.subscription_sends s using gone where s.subscription = gone.id)
        delete from delivery.destinations d using gone where d.kind = 2 and d.id = gone.id`,
      values: [ended],
    },
    {
      text: `
        delete from delivery.verified_addresses where ctid = any(array(
          select ctid from delivery.verified_addresses where verified_at < $1 limit ${batch}))`,
      values: [verified],
    },
    {
      text: `
        delete from delivery.subscription_starts where ctid = any(array(
          select ctid from delivery.subscription_starts where at < $1 limit ${batch}))`,
      values: [started],
    },
  ];
  for (const statement of statements) {
    while ((await database.statement((tx) => tx.execute(statement))) >= batch);
  }
}
