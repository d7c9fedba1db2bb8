import type { Db } from '@hearth/db';
import type { DestinationKind } from '../../shared/db/destinations.ts';
import type { NamedKind } from './shown-sends.ts';

/** A destination, as the operator sees it. */
export interface DestinationRow {
  kind: DestinationKind;
  number: number;
  /** uuid of the app, the subscription, or the asker of callbacks; all zeros for the mail server. */
  id: string;
  /** Since when it has failed or been stopped; null if the last attempt succeeded or there was none. */
  troubledSince: Date | null;
  failingSince: Date | null;
  /** When sending to it was stopped. */
  stoppedAt: Date | null;
  lastError: string | null;
  lastDeliveryAt: Date | null;
  /** AI and event of a subscription. */
  ai: string | null;
  event: string | null;
  url: string | null;
  /** Number of waiting sends, counted up to 1,000. */
  waiting: number;
}

/** The state of a destination. */
export type DestinationHealth = 'active' | 'failing' | 'suspended' | 'disabled';

/** A position in the list: failing destinations first, longest failing first, then the others. */
export interface DestinationPlace {
  /** Null for destinations that do not fail. */
  troubledSince: Date | null;
  number: number;
  id: string;
}

export interface DestinationsQuestion {
  health: DestinationHealth | null;
  after: DestinationPlace | null;
  /** Subscriptions that expired before this time are left out. */
  now: Date;
  limit: number;
}

const mostCounted = 1_000;
const lowest = '00000000-0000-0000-0000-000000000000';
const first = { number: 0, id: lowest };

function troubleOf({ destinations: { failingSince, stoppedAt } }: NamedKind): string {
  return stoppedAt === undefined ? failingSince : `coalesce(${failingSince}, ${stoppedAt})`;
}

const columnsOf = (kind: NamedKind) => {
  const { failingSince, stoppedAt, lastError, lastDeliveryAt, id, ai, event, url } = kind.destinations;
  return `
    '${kind.name}' as kind, ${kind.number} as number, ${id} as id, ${troubleOf(kind)} as "troubledSince",
    ${failingSince} as "failingSince", ${stoppedAt ?? 'null::timestamptz'} as "stoppedAt", ${lastError} as "lastError",
    ${lastDeliveryAt ?? 'null::timestamptz'} as "lastDeliveryAt", ${ai ?? 'null::uuid'} as ai,
    ${event ?? 'null::text'} as event, ${url ?? 'null::text'} as url`;
};

const livesOf = ({ destinations: { where } }: NamedKind) =>
  `${where ?? 'true'} and $1::timestamptz is not null`;

/** Counts waiting sends only for the rows of a page. */
const withWaiting = (kinds: readonly NamedKind[], source: string) => `
  select d.*, (case d.number ${kinds
    .map(
      ({ number, destinations: { waiting } }) => `
    when ${number} then (select count(*) from (select 1 from ${waiting} limit ${mostCounted}) as w)`,
    )
    .join('')} end)::int as waiting
  from (${source}) as d`;

/** Returns at most `limit` destinations, longest failing first. */
export async function listDestinations(
  db: Db,
  kinds: readonly NamedKind[],
  question: DestinationsQuestion,
): Promise<DestinationRow[]> {
  const { health, after, limit } = question;
  const amongTroubled = after === null || after.troubledSince !== null;
  const troubled = health !== 'active' && amongTroubled ? await listTroubled(db, kinds, question) : [];
  if (troubled.length >= limit || (health !== null && health !== 'active')) return troubled;
  const others = { ...question, after: amongTroubled ? null : after, limit: limit - troubled.length };
  return [...troubled, ...(await listOthers(db, kinds, others))];
}

function listTroubled(
  db: Db,
  kinds: readonly NamedKind[],
  { health, after, now, limit }: DestinationsQuestion,
): Promise<DestinationRow[]> {
  const sources = kinds.map((kind) => {
    const { from, id, stoppedAt, stopped } = kind.destinations;
    const state =
      stoppedAt === undefined
        ? `'failing'`
        : `case when ${stoppedAt} is null then 'failing' else '${stopped}' end`;
    return `
      (select ${columnsOf(kind)} from ${from}
       where ${troubleOf(kind)} is not null and ${livesOf(kind)} and ($5::text is null or $5 = ${state})
         and (${troubleOf(kind)}, ${kind.number}, ${id}) > ($2::timestamptz, $3::int, $4::uuid)
       order by ${troubleOf(kind)}, ${id} limit $6)`;
  });
  return db.query<DestinationRow>({
    name: 'delivery_list_troubled_destinations',
    text: `
      ${withWaiting(kinds, `${all(sources)} order by "troubledSince", number, id limit $6`)}
      order by "troubledSince", number, id`,
    values: [
      now,
      after?.troubledSince ?? '-infinity',
      after?.number ?? first.number,
      after?.id ?? first.id,
      health,
      limit,
    ],
  });
}

function listOthers(
  db: Db,
  kinds: readonly NamedKind[],
  { after, now, limit }: DestinationsQuestion,
): Promise<DestinationRow[]> {
  const sources = kinds.map((kind) => {
    const { from, id } = kind.destinations;
    return `
      (select ${columnsOf(kind)} from ${from}
       where ${troubleOf(kind)} is null and ${livesOf(kind)} and $2 <= ${kind.number}
         and ${id} > case when $2::int < ${kind.number} then '${lowest}' else $3::uuid end
       order by ${id} limit $4)`;
  });
  return db.query<DestinationRow>({
    name: 'delivery_list_other_destinations',
    text: `
      ${withWaiting(kinds, `${all(sources)} order by number, id limit $4`)}
      order by number, id`,
    values: [now, after?.number ?? first.number, after?.id ?? first.id, limit],
  });
}

const all = (sources: readonly string[]) => `select * from (${sources.join(' union all ')}) as every`;

/** Returns a destination; null for an app that never had an event, or a subscription that ended. */
export async function findDestination(
  db: Db,
  kind: NamedKind,
  id: string,
  now: Date,
): Promise<DestinationRow | null> {
  const { destinations } = kind;
  return await db.maybeOne<DestinationRow>({
    text: withWaiting(
      [kind],
      `select ${columnsOf(kind)} from ${destinations.from} where ${destinations.id} = $2 and ${livesOf(kind)}`,
    ),
    values: [now, id],
  });
}
