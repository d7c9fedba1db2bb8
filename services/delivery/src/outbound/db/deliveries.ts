import type { Db } from '@hearth/db';
import { states } from '../../shared/db/destinations.ts';

/** To an app, over a subscription, or to a person as an e-mail. */
export type DeliveryKind = 'app' | 'subscription' | 'mail';

/** A delivery on its way or there, as the operator sees it. */
export interface AdminDeliveryRow {
  kind: DeliveryKind;
  /** uuid of the app, the subscription, or the person. */
  destination: string;
  /** uuid */
  id: string;
  at: Date;
  type: string;
  /** hearth.delivery.v1.DeliveryState */
  status: number;
  attemptCount: number;
  lastError: string | null;
  dueAt: Date | null;
}

/** A place among all deliveries, the newest first. */
export interface DeliveryPlace {
  at: Date;
  /** uuids */
  destination: string;
  id: string;
}

export interface AllDeliveriesQuestion {
  /** Every one when null. */
  status: number | null;
  since: Date | null;
  /** Nothing of an app that is older is kept. */
  from: Date;
  before: DeliveryPlace | null;
  limit: number;
}

const everyStatus = Object.values(states);

/** The newest deliveries of all kinds, at most `limit`. */
export function listAllDeliveries(db: Db, question: AllDeliveriesQuestion): Promise<AdminDeliveryRow[]> {
  const { status, since, from, before, limit } = question;
  const asked = status === null ? everyStatus : [status];
  const sources = [newest('app'), newest('subscription'), ...asked.flatMap((one) => mails[one] ?? [])];
  return db.query<AdminDeliveryRow>({
    name: `delivery_list_all_deliveries_${status ?? 'any'}`,
    text: `
      select * from (${sources.map((source) => `(${source})`).join(' union all ')}) as delivery
      order by at desc, destination desc, id desc limit $7`,
    values: [
      asked,
      since ?? new Date(0),
      from,
      before?.at ?? 'infinity',
      before?.destination ?? highest,
      before?.id ?? highest,
      limit,
    ],
  });
}

const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const columnsOf = {
  app: `
    'app' as kind, e.app as destination, e.id, e.at, e.type, e.status, e.attempt_count as "attemptCount",
    e.attempts -> -1 ->> 'error' as "lastError", e.due_at as "dueAt"`,
  subscription: `
    'subscription' as kind, e.subscription as destination, e.event_id as id, e.at,
    case e.kind when 1 then sub.name when 2 then 'gap' else 'terminated' end as type, e.status,
    e.attempts::int as "attemptCount", e.last_error as "lastError", e.due_at as "dueAt"`,
};

const rowsOf = {
  app: { table: 'delivery.app_events e', destination: 'e.app', id: 'e.id', oldest: 'greatest($2, $3)' },
  subscription: {
    table: 'delivery.subscription_sends e join delivery.subscriptions sub on sub.id = e.subscription',
    destination: 'e.subscription',
    id: 'e.event_id',
    oldest: '$2',
  },
};

/** From the ends of one index for each status that is asked for. */
function newest(kind: 'app' | 'subscription'): string {
  const { table, destination, id, oldest } = rowsOf[kind];
  const place = `e.at, ${destination}, ${id}`;
  return `
    select found.* from unnest($1::smallint[]) as asked (status) cross join lateral (
      select ${columnsOf[kind]} from ${table}
      where e.status = asked.status and e.at >= ${oldest}::timestamptz and (${place}) < ($4::timestamptz, $5::uuid, $6::uuid)
      order by e.at desc, ${destination} desc, ${id} desc limit $7) as found`;
}

const mailColumns = (status: number) => `
  'mail' as kind, person as destination, id, at, kind as type, ${status}::smallint as status,
  attempts::int as "attemptCount", null::text as "lastError", due_at as "dueAt"`;

const mailsThat = (status: number, which: string) => `
  select ${mailColumns(status)} from delivery.mails
  where ${which} and at >= $2::timestamptz and (at, person, id) < ($4::timestamptz, $5::uuid, $6::uuid)
  order by at desc, person desc, id desc limit $7`;

const mails: Readonly<Record<number, string>> = {
  [states.waiting]: mailsThat(states.waiting, 'due_at is not null'),
  [states.delivered]: mailsThat(states.delivered, 'sent_at is not null'),
  [states.failed]: mailsThat(states.failed, 'due_at is null and sent_at is null'),
};

/** So many sends of a subscription are looked at for one page, at most. */
const mostLooked = 5_000;

/**
 * The deliveries over a subscription, sent and waiting, the newest first: messages about the subscription itself stand
 * before its wake-ups.
 *
 * @param before only wake-ups that stand before this one in the stream; null for the first page
 */
export async function listSubscriptionDeliveries(
  db: Db,
  {
    subscription,
    status,
    since,
    before,
    limit,
  }: {
    subscription: string;
    status: number | null;
    since: Date | null;
    before: number | null;
    limit: number;
  },
): Promise<{ rows: AdminDeliveryRow[]; next: number | null }> {
  const rows = await db.query<AdminDeliveryRow & { number: number; fits: boolean }>({
    name: 'delivery_list_subscription_deliveries',
    text: `
      with looked as (
        (select e.* from delivery.subscription_sends e
         where e.subscription = $1 and e.kind in (2, 3) and $4::bigint is null)
        union all
        (select e.* from delivery.subscription_sends e
         where e.subscription = $1 and e.kind = 1 and ($4::bigint is null or e.number < $4)
         order by e.number desc limit ${mostLooked})),
      judged as (
        select ${columnsOf.subscription}, e.kind = 1 as counts, e.number,
          ($2::smallint is null or e.status = $2) and ($3::timestamptz is null or e.at >= $3) as fits
        from looked e, (select name from delivery.subscriptions where id = $1) as sub)
      (select * from judged where fits order by counts, number desc limit $5 + 3)
      union all
      -- Where a page ends early, it goes on behind what was looked at.
      (select * from judged where not fits and (select count(*) from judged where counts) = ${mostLooked}
       order by counts desc, number limit 1)`,
    values: [subscription, status, since, before, limit],
  });
  const fitting = rows.filter(({ fits }) => fits);
  const page = fitting.slice(0, limit);
  // Without a wake-up on this page, the next one begins with the newest.
  const end = page.at(-1)?.number || Number.MAX_SAFE_INTEGER;
  if (fitting.length > limit) return { rows: page, next: end };
  const last = rows.find(({ fits }) => !fits)?.number;
  return { rows: page, next: last === undefined ? null : Math.min(last, end) };
}

/** One send of a subscription; null when there is none. */
export function findSubscriptionDelivery(
  db: Db,
  subscription: string,
  id: string,
): Promise<AdminDeliveryRow | null> {
  return db.maybeOne<AdminDeliveryRow>({
    text: `
      select ${columnsOf.subscription} from ${rowsOf.subscription.table}
      where e.subscription = $1 and e.event_id = $2`,
    values: [subscription, id],
  });
}

/** One e-mail to a person; null when there is none. */
export function findMailDelivery(db: Db, person: string, id: string): Promise<AdminDeliveryRow | null> {
  return db.maybeOne<AdminDeliveryRow>({
    text: `
      select 'mail' as kind, person as destination, id, at, kind as type,
        (case when due_at is not null then ${states.waiting} when sent_at is not null then ${states.delivered}
          else ${states.failed} end)::smallint as status,
        attempts::int as "attemptCount", null::text as "lastError", due_at as "dueAt"
      from delivery.mails where person = $1 and id = $2`,
    values: [person, id],
  });
}
