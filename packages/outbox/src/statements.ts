import { fragment, raw, type Statement } from '@hearth/db';
import type { OutboxRow } from './outbox.ts';

/** A row is left to the process that claimed it for this long, while it lives, before a sweep takes it. */
const claimSeconds = 10;
/** The longest pause of a refused event. */
const longestPause = '10 minutes';
/** For three days, with such pauses: as long as the log on NATS keeps an event at which a consumer fails, a consumer in process is given it. */
const mostRefusals = 3 * 24 * 6;
/** An event that is refused so often goes on without those before it: half a minute after it was published first. */
const mostWaits = 2;
/** Also where it lies further ahead than any claim does: the clock of Postgres was set back since. */
const unclaimed = `(claimed_until < now() or claimed_until > now() + 2 * interval '${longestPause}')`;
/** By then those who publish at the same time have noted so, in whichever order. */
const lateMarksSeconds = 15;

/** The SQL of one schema's outbox table, which `outboxMigrations` make. */
export function createStatements(schema: string) {
  const table = `${schema}.outbox`;
  const name = (statement: string) => `${schema}_outbox_${statement}`;
  const publishedAt = 'coalesce(published_at, created_at)';

  /** Claims by moving `claimed_until` ahead, so that two replicas that sweep do not take the same rows. */
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
        from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) as given (id, type, event, thing)`,
      values: [
        rows.map((row) => row.id),
        rows.map((row) => row.type),
        rows.map((row) => row.event),
        rows.map((row) => row.thing),
      ],
    }),
    /** Where events stand, and the last one before each about the same thing that is published or will be. */
    places: (ids: readonly string[]): Statement => ({
      name: name('places'),
      text: `
        select o.id, o.place, case when o.refusals >= ${mostWaits} then 0 else coalesce((
            select max(e.place) from ${table} e
            where e.thing = o.thing and e.place < o.place and e.set_aside is null), 0) end as after
        from ${table} o where o.id = any($1::uuid[]) and o.place is not null`,
      values: [ids],
    }),
    /** @param last the row that the log has last, and where */
    markPublished: (ids: string[], epoch: string, now: Date, last?: Position): Statement => ({
      name: name('mark_published'),
      // The claim ends here: should that log be lost, the row can be claimed at once.
      text: `
        update ${table} set
          published_in = $2, published_at = $3, claimed_until = now(),
          log_position = case when id = $4 then $5::bigint end
        where id = any($1::uuid[])`,
      values: [ids, epoch, now, last?.id, last?.position],
    }),
    /** An event at which a consumer in process fails comes again, at longer and longer intervals; one that no message can carry does not. */
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
    /** Those of a process that is gone, which has no connection any more, are taken at once. */
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
    /** The newest and the oldest event of which it is known where the log has it. */
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
    /** Longer ago than any event about the same thing is on its way after the last one. */
    forgetPlaces: (before: Date): Statement => ({
      name: name('forget_places'),
      text: `delete from ${schema}.handled_places where at < $1`,
      values: [before],
    }),
    purge: (epoch: string, before: Date, limit: number): Statement => ({
      name: name('purge'),
      // By their places, which the locks hold fast: by their ids, so many rows would be joined with the whole table.
      text: `
        delete from ${table} where ctid = any (array(
          select ctid from ${table}
          where published_in = $1 and ${publishedAt} < $2
          order by ${publishedAt} limit $3
          for update skip locked))`,
      values: [epoch, before, limit],
    }),
    /** When a sweep would take a row, by the clock of Postgres: that of a process that is gone at once. */
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

/** How long the oldest row of each outbox that is still to be published has waited, and how many are set aside. */
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
