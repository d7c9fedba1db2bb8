import type { Statement } from '@hearth/db';
import type { OutboxRow } from './outbox.ts';

/** How long a published row stays, for the case that the bus loses its log: published again, not lost. */
const keepMinutes = 15;
/** A row is left to the process that wrote it for this long before a sweep takes it. */
const claimSeconds = 10;

/** The SQL of one schema's outbox table; each service's first migration makes the table. */
export function createStatements(schema: string) {
  const table = `${schema}.outbox`;
  const name = (statement: string) => `${schema}_outbox_${statement}`;

  /** Claims by moving `claimed_until` ahead, so that two replicas that sweep do not take the same rows. */
  const claim = (statement: string, condition: string, values: unknown[]): Statement => ({
    name: name(statement),
    text: `
      update ${table} set claimed_until = now() + interval '${claimSeconds} seconds'
      where id in (
        select id from ${table}
        where ${condition} and claimed_until < now()
        order by id limit $1
        for update skip locked)
      returning id, type, event`,
    values,
  });

  return {
    insert: (rows: readonly OutboxRow[]): Statement => ({
      name: name('insert'),
      text: `insert into ${table} (id, type, event) select * from unnest($1::uuid[], $2::text[], $3::bytea[])`,
      values: [rows.map((row) => row.id), rows.map((row) => row.type), rows.map((row) => row.event)],
    }),
    markPublished: (ids: string[], epoch: string): Statement => ({
      name: name('mark_published'),
      // The claim ends here: should that log be lost, the row can be claimed at once.
      text: `update ${table} set published_in = $2, claimed_until = now() where id = any($1::uuid[])`,
      values: [ids, epoch],
    }),
    claimUnpublished: (limit: number) => claim('claim_unpublished', 'published_in is null', [limit]),
    claimOfOtherEpoch: (epoch: string, limit: number) =>
      claim('claim_of_other_epoch', 'published_in is not null and published_in <> $2', [limit, epoch]),
    purge: (epoch: string): Statement => ({
      name: name('purge'),
      text: `
        delete from ${table} where id in (
          select id from ${table}
          where published_in = $1 and created_at < now() - interval '${keepMinutes} minutes'
          order by id limit 20000)`,
      values: [epoch],
    }),
    lag: (): Statement => ({
      name: name('lag'),
      text: `
        select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as lag
        from ${table} where published_in is null`,
    }),
  };
}
