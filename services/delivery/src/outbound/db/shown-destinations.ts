import type { Db, Tx } from '@hearth/db';
import { destinationKinds, states } from '../../shared/db/destinations.ts';

const { app: appKind, subscription: subscriptionKind } = destinationKinds;

/** An address that is sent to, as the operator sees it. */
export interface DestinationRow {
  /** 1: an app's, 2: a subscription's. */
  kind: number;
  /** uuid of the app or subscription. */
  id: string;
  /** Since when it fails, or nothing is sent there; null: the last attempt was a success, or there was none. */
  troubledSince: Date | null;
  failingSince: Date | null;
  /** Since when nothing is sent there. */
  stoppedAt: Date | null;
  lastError: string | null;
  lastDeliveryAt: Date | null;
  /** A subscription's AI, event and address. */
  ai: string | null;
  event: string | null;
  url: string | null;
  /** How many wait, counted up to 1,000. */
  waiting: number;
}

/** The state of an address. */
export type DestinationHealth = 'active' | 'failing' | 'suspended' | 'disabled';

/** A place in the list: those that fail, for longest first; then the others. */
export interface DestinationPlace {
  /** Null among the others. */
  troubledSince: Date | null;
  kind: number;
  id: string;
}

export interface DestinationsQuestion {
  health: DestinationHealth | null;
  after: DestinationPlace | null;
  /** Subscriptions that ended before are left out. */
  now: Date;
  limit: number;
}

const mostCounted = 1_000;

const columns = {
  app: `
    ${appKind}::smallint as kind, s.app as id, coalesce(s.failing_since, s.disabled_at) as "troubledSince",
    s.failing_since as "failingSince", s.disabled_at as "stoppedAt", s.last_error as "lastError",
    s.last_delivery_at as "lastDeliveryAt", null::uuid as ai, null::text as event, null::text as url`,
  subscription: `
    ${subscriptionKind}::smallint as kind, s.id, coalesce(s.failed_since, s.suspended_at) as "troubledSince",
    s.failed_since as "failingSince", s.suspended_at as "stoppedAt", s.last_error as "lastError",
    s.last_delivery_at as "lastDeliveryAt", s.ai, s.name as event, s.url`,
};

const troubledApp = 'coalesce(s.failing_since, s.disabled_at)';
const troubledSubscription = 'coalesce(s.failed_since, s.suspended_at)';
const lives = 's.ended_at is null and s.refresh_before > $1';

/** Counts for the rows of a page alone. */
const withWaiting = (source: string) => `
  select d.*, (case d.kind
    when ${appKind} then (select count(*) from (
      select 1 from delivery.app_events e where e.app = d.id and e.status = ${states.waiting} limit ${mostCounted}) as w)
    else (select count(*) from (
      select 1 from delivery.subscription_sends e
      where e.subscription = d.id and e.status = ${states.waiting} limit ${mostCounted}) as w) end)::int as waiting
  from (${source}) as d`;

/** Addresses that are sent to, those that fail for longest first; at most `limit`. */
export async function listDestinations(db: Db, question: DestinationsQuestion): Promise<DestinationRow[]> {
  const { health, after, limit } = question;
  const amongTroubled = after === null || after.troubledSince !== null;
  const troubled = health !== 'active' && amongTroubled ? await listTroubled(db, question) : [];
  if (troubled.length >= limit || (health !== null && health !== 'active')) return troubled;
  const others = { ...question, after: amongTroubled ? null : after, limit: limit - troubled.length };
  return [...troubled, ...(await listOthers(db, others))];
}

function listTroubled(
  db: Db,
  { health, after, now, limit }: DestinationsQuestion,
): Promise<DestinationRow[]> {
  return db.query<DestinationRow>({
    name: 'delivery_list_troubled_destinations',
    text: `
      ${withWaiting(`
        select * from (
          (select ${columns.app} from delivery.app_streams s
           where ${troubledApp} is not null and ($5::text is null
               or $5 = case when s.disabled_at is null then 'failing' else 'disabled' end)
             and (${troubledApp}, ${appKind}, s.app) > ($2::timestamptz, $3::int, $4::uuid)
           order by ${troubledApp}, s.app limit $6)
          union all
          (select ${columns.subscription} from delivery.subscriptions s
           where ${troubledSubscription} is not null and ${lives} and ($5::text is null
               or $5 = case when s.suspended_at is null then 'failing' else 'suspended' end)
             and (${troubledSubscription}, ${subscriptionKind}, s.id) > ($2::timestamptz, $3::int, $4::uuid)
           order by ${troubledSubscription}, s.id limit $6)) as troubled
        order by "troubledSince", kind, id limit $6`)}
      order by "troubledSince", kind, id`,
    values: [now, after?.troubledSince ?? '-infinity', after?.kind ?? 0, after?.id ?? lowest, health, limit],
  });
}

function listOthers(db: Db, { after, now, limit }: DestinationsQuestion): Promise<DestinationRow[]> {
  return db.query<DestinationRow>({
    name: 'delivery_list_other_destinations',
    text: `
      ${withWaiting(`
        select * from (
          (select ${columns.app} from delivery.app_streams s
           where ${troubledApp} is null and $2 <= ${appKind} and s.app > $3::uuid order by s.app limit $4)
          union all
          (select ${columns.subscription} from delivery.subscriptions s
           where ${troubledSubscription} is null and ${lives}
             and s.id > case when $2::int < ${subscriptionKind} then '${lowest}' else $3::uuid end
           order by s.id limit $4)) as others
        order by kind, id limit $4`)}
      order by kind, id`,
    values: [now, after?.kind ?? 0, after?.id ?? lowest, limit],
  });
}

const lowest = '00000000-0000-0000-0000-000000000000';

/** One address; null for an app to which nothing ever happened, and a subscription that ended. */
export async function findDestination(
  db: Db,
  kind: 'app' | 'subscription',
  id: string,
  now: Date,
): Promise<DestinationRow | null> {
  const source =
    kind === 'app'
      ? `select ${columns.app} from delivery.app_streams s where s.app = $2 and $1::timestamptz is not null`
      : `select ${columns.subscription} from delivery.subscriptions s where s.id = $2 and ${lives}`;
  return await db.maybeOne<DestinationRow>({ text: withWaiting(source), values: [now, id] });
}

/** Locks the stream of an app whose address is disabled; false when it is not (any more). */
export async function lockDisabledApp(tx: Tx, app: string): Promise<boolean> {
  const disabled = await tx.maybeOne({
    text: 'select 1 from delivery.app_streams where app = $1 and disabled_at is not null for update',
    values: [app],
  });
  return disabled !== null;
}
