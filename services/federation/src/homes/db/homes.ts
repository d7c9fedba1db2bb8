import { type Db, fragment, named, sql, type Tx } from '@hearth/db';
import type { KeptDocument } from '@hearth/signing';
import type { Policy } from '../domain/policy.ts';

/** Another home, as stored here. */
export interface HomeRow {
  home: string;
  /** Null if the operator did not decide about it. */
  policy: Policy | null;
  kept: KeptDocument | null;
  goodAt: Date | null;
  freshUntil: Date | null;
  triedAt: Date | null;
  failure: string | null;
  retryAt: Date | null;
  fetchingUntil: Date | null;
  dueAt: Date | null;
  createdAt: Date;
  /** When another home took over the name. */
  beganAnewAt: Date | null;
}

const columns = fragment`
  home, policy, kept, good_at as "goodAt", fresh_until as "freshUntil", tried_at as "triedAt", failure,
  retry_at as "retryAt", fetching_until as "fetchingUntil", due_at as "dueAt", created_at as "createdAt",
  began_anew_at as "beganAnewAt"`;

export async function findHomes(db: Db, homes: readonly string[]): Promise<HomeRow[]> {
  return await db.query<HomeRow>(named('federation_find_homes')`
    select ${columns} from federation.homes where home = any(${homes}::text[])`);
}

/** Whether no one here ever sent the home anything, and the operator did not decide about it. */
export async function isStranger(db: Db, home: string): Promise<boolean> {
  const { known } = await db.one<{ known: boolean }>(named('federation_is_stranger')`
    select exists (select from federation.logs where home = ${home} and ours)
      or exists (select from federation.homes where home = ${home} and policy is not null) as known`);
  return !known;
}

/** Locks a home's row until the end of the transaction. */
export async function lockHome(tx: Tx, home: string): Promise<HomeRow | null> {
  return await tx.maybeOne<HomeRow>(sql`
    select ${columns} from federation.homes where home = ${home} for update`);
}

/** Claims the fetch of a document: false if another process is fetching it, or fetched it since the row was read. */
export async function claimFetch(
  tx: Tx,
  { home, triedAt, fetchingUntil }: Pick<HomeRow, 'home' | 'triedAt' | 'fetchingUntil'>,
  now: Date,
  until: Date,
): Promise<boolean> {
  const claimed = await tx.maybeOne(sql`
    insert into federation.homes (home, tried_at, fetching_until, created_at)
    values (${home}, ${now}, ${until}, ${now})
    on conflict (home) do update set tried_at = excluded.tried_at, fetching_until = excluded.fetching_until
    where (homes.fetching_until is null or homes.fetching_until <= ${now})
      and (homes.tried_at, homes.fetching_until) is not distinct from (${triedAt}::timestamptz, ${fetchingUntil}::timestamptz)
    returning home`);
  return claimed !== null;
}

/** Writes the result of a fetch, or an act of the operator. */
export async function writeHome(tx: Tx, row: HomeRow): Promise<void> {
  const kept = row.kept === null ? null : JSON.stringify(row.kept);
  await tx.execute(sql`
    insert into federation.homes (home, policy, kept, good_at, fresh_until, tried_at, failure, retry_at, fetching_until, due_at,
      created_at, began_anew_at)
    values (${row.home}, ${row.policy}, ${kept}, ${row.goodAt}, ${row.freshUntil}, ${row.triedAt}, ${row.failure},
      ${row.retryAt}, ${row.fetchingUntil}, ${row.dueAt}, ${row.createdAt}, ${row.beganAnewAt})
    on conflict (home) do update set policy = excluded.policy, kept = excluded.kept, good_at = excluded.good_at,
      fresh_until = excluded.fresh_until, tried_at = excluded.tried_at, failure = excluded.failure,
      retry_at = excluded.retry_at, fetching_until = excluded.fetching_until, due_at = excluded.due_at,
      began_anew_at = excluded.began_anew_at`);
}

/** Lists homes whose document is due for a refresh, except blocked ones. */
export async function listDueHomes(db: Db, unsaid: Policy, now: Date, most: number): Promise<string[]> {
  const rows = await db.query<{ home: string }>(sql`
    select home from federation.homes
    where due_at <= ${now} and coalesce(policy, ${unsaid}) <> 'blocked'
      and (policy is not null or not exists (
        select 1 from federation.homes above
        where above.policy = 'blocked' and right(homes.home, length(above.home) + 1) = '.' || above.home))
      and (policy is not null or exists (select from federation.logs l where l.home = homes.home and l.ours))
    order by due_at
    limit ${most}`);
  return rows.map(({ home }) => home);
}

/** Deletes names that led to no home, so that strangers cannot fill the table. */
export async function deleteStrayHomes(tx: Tx, before: Date): Promise<void> {
  await tx.execute(sql`
    delete from federation.homes where kept is null and policy is null and coalesce(tried_at, created_at) < ${before}`);
}

/**
 * Deletes strangers, with their logs and the logs' items: the operator did not decide about them, no one here
 * ever sent them anything, nothing received from them is kept, and their document has not been used since
 * `unused`. Use keeps a document at most until `before`, unless messages or states arrived for people here.
 */
export async function forgetStrangers(
  tx: Tx,
  { unused, before, limit }: { unused: Date; before: Date; limit: number },
): Promise<number> {
  const rows = await tx.query(named('federation_forget_strangers')`
    with strange as (
      select h.home from federation.homes h
      where h.kept is not null and h.policy is null
        and (greatest(h.good_at, h.tried_at, h.created_at) < ${unused} or h.created_at < ${before})
        and not exists (select from federation.logs l where l.home = h.home and l.ours)
        and not exists (
          select from federation.received_items r
          where r.home = h.home and (r.type in ('message', 'state') or h.created_at >= ${before}))
        and not exists (select from federation.acquaintances a where a.home = h.home and a.contact)
      order by h.home limit ${limit} for update skip locked),
    -- A push in flight while its home was deleted leaves a log without a home.
    stray as (
      select l.home from federation.logs l
      where not l.ours and l.last_seq = 0 and not exists (select from federation.homes h where h.home = l.home)),
    forgotten_logs as (
      delete from federation.logs l where l.home in (select home from strange union all select home from stray)
      returning l.destination),
    forgotten_destinations as (
      delete from federation.destinations d using forgotten_logs l where d.kind = 1 and d.id = l.destination),
    forgotten_items as (delete from federation.sent_items i using strange where i.home = strange.home),
    forgotten_cards as (delete from federation.acquaintances a using strange where a.home = strange.home)
    delete from federation.homes h using strange where h.home = strange.home returning h.home`);
  return rows.length;
}
