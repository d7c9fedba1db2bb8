import { fragment, raw, type Statement } from '@hearth/db';
import type { OutboxRow } from './outbox.ts';

/** How long a sweep leaves a claimed row to its process, while that is alive. */
const claimSeconds = 10;
/** The longest pause between tries of a refused event. */
const longestPause = '10 minutes';
/**
 * About three days of such pauses: an in-process consumer gets as long as NATS keeps an event that a consumer
 * fails at.
 */
const mostRefusals = 3 * 24 * 6;
/**
 * After this many refusals an event no longer waits for those before it: half a minute after it was first
 * published.
 */
const mostWaits = 2;
/** Also true if the claim is further ahead than any claim reaches: Postgres's clock was set back. */
const unclaimed = `(claimed_until < now() or claimed_until > now() + 2 * interval '${longestPause}')`;
/** The time within which concurrent publishers have written their marks, in any order. */
const lateMarksSeconds = 15;

/** SQL for one schema's outbox table, which `outboxMigrations` create. */
export function createStatements(schema: string) {
  const table = `${schema}.outbox`;
  const name = (statement: string) => `${schema}_outbox_${statement}`;
  const publishedAt = 'coalesce(published_at, created_at)';

  /** Claims rows by moving `claimed_until` ahead, so that two sweeping replicas do not take the same rows. */
  const claim = (statement: string, condition: string, values: unknown[]): Statement => ({
    name: name(statement),
    text: `
      update ${table} set
        claimed_until = now() + interval '${claimSeconds} seconds',
        claimed_by = current_setting('application_name')
      where id in (
        select id from ${table}
        where ${condition}
        order by id limit $1
        for update skip locked)
      returning id, type, event, thing`,
    values,
  });

  return {
    insert: (rows: readonly OutboxRow[]): Statement => ({
      name: name('insert'),
      text: `
        insert into ${table} (id, type, event, thing, place)
        select id, type, event, thing, case when thing is not null then nextval('${schema}.outbox_place') end
        from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) as given (id, type, event, thing)
        on conflict (id) do nothing
        returning id`,
      values: [
        rows.map((row) => row.id),
        rows.map((row) => row.type),
        rows.map((row) => row.event),
        rows.map((row) => row.thing),
      ],
    }),
    /**
     * The places of events, each with the place of the preceding event about the same thing that is or will
     * be published.
     */
    places: (ids: readonly string[]): Statement => ({
      name: name('places'),
      text: `
        select o.id, o.place, case when o.refusals >= ${mostWaits} then 0 else coalesce((
            select max(e.place) from ${table} e
            where e.thing = o.thing and e.place < o.place and e.set_aside is null), 0) end as after
        from ${table} o where o.id = any($1::uuid[]) and o.place is not null`,
      values: [ids],
    }),
    /** @param last the last row in the log, with its position */
    markPublished: (ids: string[], epoch: string, now: Date, last?: Position): Statement => ({
      name: name('mark_published'),
      // Ends the claim, so that the row can be claimed at once if the log is lost.
      text: `
        update ${table} set
          published_in = $2, published_at = $3, claimed_until = now(),
          log_position = case when id = $4 then $5::bigint end
        where id = any($1::uuid[])`,
      values: [ids, epoch, now, last?.id, last?.position],
    }),
    /**
     * An event that an in-process consumer failed at is retried with backoff; one that no message can carry
     * is not.
     */
    refuse: (refused: readonly RefusedRow[]): Statement => ({
      name: name('refuse'),
      text: `
        update ${table} as o set
          published_in = null,
          refusals = refusals + 1,
          claimed_until = now() + least(
            interval '${longestPause}', interval '${claimSeconds} seconds' * 2 ^ least(refusals, 10)),
          set_aside = case when r.for_good or refusals >= ${mostRefusals} then r.reason end
        from unnest($1::uuid[], $2::text[], $3::boolean[]) as r (id, reason, for_good)
        where o.id = r.id
        returning o.id, o.type, o.set_aside`,
      values: [
        refused.map((row) => row.id),
        refused.map((row) => row.reason),
        refused.map((row) => row.forGood),
      ],
    }),
    /** Also claims rows of dead processes (no connection) immediately. */
    claimUnpublished: (limit: number) =>
      claim(
        'claim_unpublished',
        `published_in is null and set_aside is null and (${unclaimed} or claimed_by <> all (array(
          select application_name from pg_stat_activity where application_name is not null)))`,
        [limit],
      ),
    claimOfOtherEpoch: (epoch: string, limit: number) =>
      claim('claim_of_other_epoch', `published_in is not null and published_in <> $2 and ${unclaimed}`, [
        limit,
        epoch,
      ]),
    /** The newest and the oldest event with a known position in the log. */
    confirmed: (epoch: string): Statement => ({
      name: name('confirmed'),
      text: `
        select position, event from (
          (select log_position as position, event from ${table}
           where published_in = $1 and log_position is not null
             and ${publishedAt} >= (select max(${publishedAt}) from ${table} where published_in = $1)
               - interval '${lateMarksSeconds} seconds'
           order by log_position desc limit 1)
          union all
          (select log_position, event from ${table}
           where published_in = $1 and log_position is not null
           order by ${publishedAt}, log_position limit 1)
        ) confirmed`,
      values: [epoch],
    }),
    /** Places older than any two events about the same thing are apart in transit. */
    forgetPlaces: (before: Date): Statement => ({
      name: name('forget_places'),
      text: `delete from ${schema}.handled_places where at < $1`,
      values: [before],
    }),
    purge: (epoch: string, before: Date, limit: number): Statement => ({
      name: name('purge'),
      // By `ctid`, which the row locks keep stable: by id, so many rows would be joined with the whole table.
      text: `
        delete from ${table} where ctid = any (array(
          select ctid from ${table}
          where published_in = $1 and ${publishedAt} < $2
          order by ${publishedAt} limit $3
          for update skip locked))`,
      values: [epoch, before, limit],
    }),
    /** When a sweep would take a row, by Postgres's clock; at once for rows of dead processes. */
    nextUnpublished: fragment`
      select min(case
        when claimed_until > now() + 2 * interval '${raw(longestPause)}' or claimed_by <> all (array(
          select application_name from pg_stat_activity where application_name is not null)) then now()
        else claimed_until end)
      from ${raw(table)} where published_in is null and set_aside is null`,
    anyPublished: fragment`
      select '-infinity'::timestamptz where exists (select from ${raw(table)} where published_in is not null)`,
  };
}

/** For each outbox: how long the oldest unpublished row has waited, and how many are set aside. */
export const lags = (schemas: readonly string[]): Statement => ({
  name: 'outbox_lags',
  text: schemas
    .map(
      (schema) => `
        select '${schema}' as schema,
          coalesce(extract(epoch from now() - min(created_at) filter (where set_aside is null)), 0)::float8 as lag,
          count(set_aside)::int as "setAside"
        from ${schema}.outbox where published_in is null`,
    )
    .join(' union all '),
});

export interface Position {
  id: string;
  position: number;
}

export interface RefusedRow {
  id: string;
  reason: string;
  forGood: boolean;
}
