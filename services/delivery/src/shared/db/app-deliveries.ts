import { type Db, fragment, named, raw, type Tx } from '@hearth/db';
import { destinationKinds, states, touchDestinations } from './destinations.ts';

/** An event of an app, as the log shows it. */
export interface AppDeliveryRow {
  number: number;
  id: string;
  at: Date;
  /** The time as sent: only the day if the event names a shielded person. */
  shownAt: Date;
  type: string;
  status: number;
  dueAt: Date | null;
  attemptCount: number;
  /** The error of the last attempt. */
  lastError: string | null;
}

/** A delivery with its body and attempts, which lists leave out. */
export interface WholeAppDeliveryRow extends AppDeliveryRow {
  body: string;
  attempts: { at: string; status: number | null; ms: number; error: string | null; dropped?: string[] }[];
}

export interface DeliveryQuestion {
  app: string;
  status: number | null;
  type: string | null;
  since: Date | null;
  /** Older events count as deleted. */
  from: Date;
  /** Only events with a lower number. */
  before: number | null;
  limit: number;
}

export interface DeliveryPage {
  rows: AppDeliveryRow[];
  /** Start of the next page; null on the last page. */
  next: number | null;
}

/** The most events read for one page when filtering by status or type. */
const mostLooked = 5_000;

const columns = fragment`
  number, id, at, substring(body from '"at":"([^"]+)"')::timestamptz as "shownAt", type, status, due_at as "dueAt",
  attempt_count as "attemptCount", attempts -> -1 ->> 'error' as "lastError"`;

/** Returns the deliveries to an app, sent and waiting, newest first. */
export async function listAppDeliveries(db: Db, question: DeliveryQuestion): Promise<DeliveryPage> {
  const { app, status, type, since, from, before, limit } = question;
  const most = status === null && type === null ? limit + 1 : mostLooked;
  const rows = await db.query<AppDeliveryRow & { fits: boolean }>(named('delivery_list_app_deliveries')`
    with looked as (
      select ${columns}, (${status}::smallint is null or status = ${status}) and (${type}::text is null
        or type = ${type}) as fits
      from delivery.app_events
      where app = ${app} and at >= greatest(${from}::timestamptz, ${since}::timestamptz)
        and number < coalesce(${before}::bigint, 9223372036854775807)
      order by number desc limit ${most}::int),
    page as (select * from looked where fits order by number desc limit ${limit} + 1)
    select * from page
    union all
    -- A page that ends early continues after the last row read.
    (select * from looked
     where (select count(*) from looked) = ${most}::int and (select count(*) from page) <= ${limit}
       and not fits
     order by number limit 1)`);
  const fitting = rows.filter(({ fits }) => fits).sort((one, other) => other.number - one.number);
  const page = fitting.slice(0, limit);
  if (fitting.length > limit) return { rows: page, next: page.at(-1)?.number ?? null };
  const last = rows.find(({ fits }) => !fits);
  return {
    rows: page,
    next: last === undefined ? null : Math.min(last.number, page.at(-1)?.number ?? last.number),
  };
}

/** Returns an event of the app with its attempts; null if the app has no such event. */
export function findAppDelivery(
  db: Db,
  app: string,
  id: string,
  from: Date,
): Promise<WholeAppDeliveryRow | null> {
  return db.maybeOne<WholeAppDeliveryRow>(named('delivery_find_app_delivery')`
    select ${columns}, body, attempts from delivery.app_events
    where app = ${app} and id = ${id} and (at >= ${from} or unconfirmed)`);
}

/** Questions are put to the app directly, so they are only logged. */
const askedAtOnce = fragment`'guess'`;

/** Returns the events of the app after a number, in order. */
export function listAppEvents(
  db: Db,
  { app, after, from, limit }: { app: string; after: number; from: Date; limit: number },
): Promise<{ number: number; body: string }[]> {
  return db.query<{ number: number; body: string }>(named('delivery_list_app_events')`
    select number, body from delivery.app_events
    where app = ${app} and number > ${after} and at >= ${from} and type <> ${askedAtOnce} order by number
      limit ${limit}`);
}

/** The events to replay. */
export interface ReplayQuestion {
  app: string;
  /** Only this event; null for all that match the other fields. */
  id: string | null;
  since: Date;
  until: Date;
  /** Null for every type. */
  types: readonly string[] | null;
  status: number | null;
}

/**
 * Makes events due again if they are at most `limit`; returns how many match, counted up to `limit + 1`. If
 * there are more, none is replayed. Poke the engine afterwards.
 */
export async function replayAppEvents(
  tx: Tx,
  question: ReplayQuestion,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { app, id, since, until, types, status } = question;
  const { found } = await tx.one<{ found: number }>(named('delivery_replay_app_events')`
    with chosen as (
      select app, id, at from delivery.app_events
      where app = ${app} and (${id}::uuid is null or id = ${id}) and at >= ${since} and at <= ${until}
        and type <> ${askedAtOnce}
        and (${types}::text[] is null or type = any(${types})) and (${status}::smallint is null
          or status = ${status})
      limit ${limit} + 1),
    counted as (select count(*)::int as found from chosen),
    replayed as (
      update delivery.app_events e
      set status = ${raw(states.waiting)}, due_at = ${now}, tries = 0,
        replay = e.replay or e.status <> ${raw(states.waiting)}
      from chosen c, counted
      where e.app = c.app and e.id = c.id and e.at = c.at and counted.found <= ${limit})
    select found from counted`);
  if (found > 0 && found <= limit) await touchDestinations(tx, destinationKinds.app, [app], now);
  return found;
}
