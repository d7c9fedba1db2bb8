import { fragment, raw, type Tx } from '@hearth/db';
import type { OutboundKind, Send, Settlement } from './kinds.ts';

export interface ClaimedDestination {
  kind: number;
  id: string;
  version: number;
  failing: boolean;
}

export interface Claiming {
  kinds: readonly number[];
  now: Date;
  /** uuid of the process. */
  lease: string;
  leaseMs: number;
  /** The most healthy destinations, and the most failing ones. */
  healthy: number;
  failing: number;
}

/** When the next destination is due, by the home's clock, and when the next lease ends, by Postgres's. */
export function dueOf(schema: string, leaseMs: number) {
  const destinations = raw(`${schema}.destinations`);
  return {
    sendDue: {
      sql: fragment`
        select least(
          (select min(due_at) from ${destinations} where due_at is not null and failing_since is null),
          (select min(due_at) from ${destinations} where due_at is not null and failing_since is not null))`,
    },
    leftBehind: {
      // A lease too far in the future dates from before Postgres's clock was set back.
      sql: fragment`
        select case
          when max(leased_until) > now() + interval '${raw(10 * leaseMs)} milliseconds' then now()
          else min(leased_until) end
        from ${destinations} where leased_until is not null`,
      by: 'database',
    },
  } as const;
}

/**
 * Claims due destinations, longest overdue first, and those whose lease has ended; skips destinations leased
 * by other processes.
 */
export function claimDestinations(tx: Tx, schema: string, claiming: Claiming): Promise<ClaimedDestination[]> {
  const { kinds, now, lease, leaseMs, healthy, failing } = claiming;
  return tx.query({
    name: `${schema}_claim_destinations`,
    text: `
      with healthy as (
        select kind, id from ${schema}.destinations
        where due_at <= $2 and failing_since is null and kind = any($1::smallint[])
          and (leased_until is null or leased_until < clock_timestamp())
        order by due_at limit $5 for update skip locked),
      failing as (
        select kind, id from ${schema}.destinations
        where due_at <= $2 and failing_since is not null and kind = any($1::smallint[])
          and (leased_until is null or leased_until < clock_timestamp())
        order by due_at limit $6 for update skip locked),
      left_behind as (
        select kind, id from ${schema}.destinations
        -- A lease that ends too far in the future was taken before Postgres's clock was set back.
        where (leased_until < clock_timestamp()
            or leased_until > clock_timestamp() + 10 * $4 * interval '1 millisecond')
          and kind = any($1::smallint[])
        order by leased_until limit least($5, $6) for update skip locked)
      update ${schema}.destinations d
      set lease = $3, leased_until = clock_timestamp() + $4 * interval '1 millisecond', due_at = null
      from (select * from healthy union select * from failing union select * from left_behind) as free
      where d.kind = free.kind and d.id = free.id
      returning d.kind, d.id, d.version, d.failing_since is not null as failing`,
    values: [kinds, now, lease, leaseMs, healthy, failing],
  });
}

/** Renews this process's leases. Returns the destinations that it still holds. */
export async function renewLeases(
  tx: Tx,
  schema: string,
  lease: string,
  leaseMs: number,
  destinations: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>({
    name: `${schema}_renew_leases`,
    // In the lock order used everywhere.
    text: `
      with held as (
        select kind, id from ${schema}.destinations
        where lease = $1 and leased_until >= clock_timestamp() and id = any($3::uuid[])
        order by id for update)
      update ${schema}.destinations d
      set leased_until = clock_timestamp() + $2 * interval '1 millisecond'
      from held where d.kind = held.kind and d.id = held.id
      returning d.id`,
    values: [lease, leaseMs, destinations],
  });
  return new Set(rows.map(({ id }) => id));
}

/** A destination that its process wants to release. */
export interface Finishing {
  id: string;
  /** As of the last query for due work. */
  version: number;
  /** The health learned since; null if no attempt was made. */
  failing: boolean | null;
  /** Releases the destination even if work is due, and defers it until this moment. */
  notBefore: Date | null;
}

/** `finished`; the version with which to query due work again; or `lost` to another process. */
export type Finished = 'finished' | 'lost' | number;

type Released = Pick<OutboundKind<Send>, 'number' | 'name' | 'nextDueSql' | 'passing'> & { schema: string };

/**
 * Releases the destinations of one kind that have no due work. Keeps the leases of those touched in the meantime.
 *
 * @param settled outcomes that the same statement writes first
 */
export async function finishDestinations(
  tx: Tx,
  kind: Released,
  { lease, now }: { lease: string; now: Date },
  finishing: readonly Finishing[],
  settled?: Settlement,
): Promise<Map<string, Finished>> {
  const rows = await tx.query<{ id: string; version: number | null; finished: boolean }>({
    name: `${kind.schema}_${settled === undefined ? 'finish' : 'settle'}_${kind.name}`,
    text: finishText(kind, settled),
    values: [
      kind.number,
      lease,
      now,
      finishing.map(({ id }) => id),
      finishing.map(({ version }) => version),
      finishing.map(({ failing }) => failing),
      finishing.map(({ notBefore }) => notBefore),
      ...(settled?.values ?? []),
    ],
  });
  return new Map(rows.map(({ id, version, finished }) => [id, finished ? 'finished' : (version ?? 'lost')]));
}

/**
 * `held` waits for concurrent transactions that touch the row and sees their version, while `looked` may not
 * see the work they added; so the version decides whether anything is left. Outcomes are written first,
 * because sends are locked before destinations everywhere.
 */
const finishText = ({ schema, nextDueSql, passing = false }: Released, settled?: Settlement) => `
  with ${settled === undefined ? '' : `${settled.sql},`}
  given as (
    select * from unnest($4::uuid[], $5::bigint[], $6::boolean[], $7::timestamptz[])
      as given (id, seen, failing, not_before)),
  held as (
    select id, version from ${schema}.destinations
    where kind = $1 and id in (select id from given) and lease = $2
      ${settled === undefined ? '' : 'and (select count(*) from settled) >= 0'}
    order by id for update),
  looked as (select d.id, d.version, (${settled?.nextDueSql ?? nextDueSql}) as next_due from held d),
  gone as (
    delete from ${schema}.destinations d using given join looked on looked.id = given.id
    where ${passing} and d.kind = $1 and d.id = given.id and d.lease = $2
      and looked.version = given.seen and looked.next_due is null
    returning d.id),
  finished as (
    update ${schema}.destinations d
    set lease = null, leased_until = null,
      due_at = greatest(
        coalesce(looked.next_due, case when looked.version <> given.seen then given.not_before end),
        case when looked.next_due is not null then given.not_before end),
      failing_since = case given.failing
        when true then coalesce(d.failing_since, $3) when false then null else d.failing_since end
    from given join looked on looked.id = given.id
    where d.kind = $1 and d.id = given.id and d.lease = $2
      and not (${passing} and looked.version = given.seen and looked.next_due is null)
      and (given.not_before is not null
        or (looked.version = given.seen and (looked.next_due is null or looked.next_due > $3)))
    returning d.id)
  select given.id, held.version, finished.id is not null or gone.id is not null as finished
  from given left join held on held.id = given.id left join finished on finished.id = given.id
    left join gone on gone.id = given.id`;

/** SQL of the lease for new destinations: its uuid (null to take none) and its milliseconds. */
export interface LeaseSql {
  id: string;
  ms: string;
}

/**
 * SQL for an insert that makes destinations due, as part of a larger statement. Returns (id, taken).
 *
 * @param source a select of (kind smallint, id uuid, due_at timestamptz), with distinct destinations, ordered
 * by id
 */
export function touchSql(
  schema: string,
  source: string,
  { id, ms }: LeaseSql = { id: 'null', ms: 'null' },
): string {
  return `
    insert into ${schema}.destinations as d (kind, id, due_at, lease, leased_until)
    select *, ${id}::uuid, clock_timestamp() + ${ms}::int * interval '1 millisecond' from (${source}) as given
    on conflict (kind, id) do update
      set due_at = least(d.due_at, excluded.due_at), version = d.version + 1
    -- A new destination has version 0.
    returning id, ${id}::uuid is not null and version = 0 as taken`;
}

/**
 * Makes destinations due at `dueAt`, in the transaction that adds the work; poke the engine after the commit.
 */
export async function touchDestinations(
  tx: Tx,
  schema: string,
  kind: number,
  destinations: readonly string[],
  dueAt: Date,
): Promise<void> {
  await tx.execute({
    name: `${schema}_touch_destinations`,
    text: touchSql(
      schema,
      `select $1::smallint, id, $3::timestamptz from unnest($2::uuid[]) as id group by id order by id`,
    ),
    values: [kind, destinations, dueAt],
  });
}
