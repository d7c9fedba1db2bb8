import { type Db, named } from '@hearth/db';
import type { ActivityRow } from './activity.ts';

/** A row's position, the same in every list that holds the row. */
export interface ActivityPlace {
  sortAt: Date;
  event: string;
  part: number;
}

export interface ActivityQuery {
  /** The owners of the lists that the viewer sees: themselves and their groups. */
  viewer: readonly string[];
  /**
   * The lists in `viewer` that belong to no group. They also hold the acts in a group that not every member
   * may see.
   */
  own: readonly string[];
  /** The person behind the viewer, to leave out rows hidden from them; null for an app that acts for itself. */
  person: string | null;
  group: string | null;
  /** uuid of the actor, or the address that they had; never both. */
  actor: string | null;
  actorAddress: string | null;
  action: string | null;
  since: Date | null;
  before: ActivityPlace | null;
  limit: number;
}

export interface ActivityPage {
  rows: ActivityRow[];
  /** Start of the next page; null on the last page. */
  next: ActivityPlace | null;
}

/** The most rows that one page reads, fewer for many lists. Then the page ends, even if it is short. */
const mostRows = 5_000;
const leastRows = 500;
const mostPlaces = 100_000;
const growth = 4;

/**
 * Returns a page of the rows that the viewer may see, newest first. It reads from the ends of as few lists as
 * possible: of the one actor asked for, else of the one group and the viewer's own, else all the viewer's.
 * While too few rows pass, it reads on in larger steps.
 */
export async function listActivity(db: Db, query: ActivityQuery): Promise<ActivityPage> {
  const { viewer, own, group, actor, since, limit } = query;
  const lists = actor !== null ? [actor] : group !== null ? [group, ...own] : viewer;
  const rows: ActivityRow[] = [];
  let { before } = query;
  let left = Math.max(leastRows, Math.min(mostRows, Math.floor(mostPlaces / Math.max(1, lists.length))));
  for (let size = limit + 1; ; size = Math.max(1, Math.min(size * growth, left))) {
    const places = await listPlaces(db, lists, before, since, size);
    rows.push(...(await findPassing(db, places, query)));
    const last = rows[limit - 1];
    if (rows.length > limit && last !== undefined) return { rows: rows.slice(0, limit), next: last };
    left -= places.length;
    before = places.at(-1) ?? null;
    if (places.length < size || before === null) return { rows, next: null };
    if (left <= 0) return { rows, next: before };
  }
}

/** Returns the newest positions of these lists, merged. */
function listPlaces(
  db: Db,
  lists: readonly string[],
  before: ActivityPlace | null,
  since: Date | null,
  limit: number,
): Promise<ActivityPlace[]> {
  return db.query<ActivityPlace>({
    name: 'delivery_list_activity_places',
    text: `
      select distinct found.sort_at as "sortAt", found.event, found.part
      from unnest($1::uuid[]) as list(subject)
      cross join lateral (
        select s.sort_at, s.event, s.part
        from delivery.activity_subjects s
        where s.subject = list.subject
          and (s.sort_at, s.event, s.part) < ($2::timestamptz, $3::uuid, $4::smallint)
          and s.sort_at >= date_trunc('day', $5::timestamptz, 'UTC')
        order by s.sort_at desc, s.event desc, s.part desc
        limit $6) found
      order by found.sort_at desc, found.event desc, found.part desc
      limit $6`,
    values: [
      lists,
      before?.sortAt ?? 'infinity',
      before?.event ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      before?.part ?? 32_767,
      since ?? '-infinity',
      limit,
    ],
  });
}

/**
 * Returns the rows at these positions that the viewer may see and that match the query, in the order of the
 * positions.
 */
async function findPassing(
  db: Db,
  places: readonly ActivityPlace[],
  { viewer, person, group, actor, actorAddress, action, since }: ActivityQuery,
): Promise<ActivityRow[]> {
  const rows = await db.query<ActivityRow>(named('delivery_find_activity')`
    select a.event, a.part, a.at, a.sort_at as "sortAt", a.action, a.actor_kind as "actorKind", a.actor,
      a.actor_person as "actorPerson", a.actor_address as "actorAddress", a.actor_name as "actorName",
      a.actor_minor as "actorMinor", a.via, a.group_id as "group", a.about, a.about_minor as "aboutMinor",
      a.item_ref as "itemRef", a.item_app as "itemApp", a.summary, a.wording, a.hidden_from as "hiddenFrom", a.subjects
    from delivery.activity a
    where a.event = any(${[...new Set(places.map(({ event }) => event))]}::uuid[])
      and (a.sort_at >= ${since ?? '-infinity'}::timestamptz or a.actor_minor or a.about_minor)
      and a.subjects && ${viewer}::uuid[]
      and (${person}::uuid is null or ${person} <> all(a.hidden_from))
      and (${group}::uuid is null or a.group_id = ${group})
      and (${actor}::uuid is null or a.actor = ${actor})
      and (${actorAddress}::text is null or a.actor_address = ${actorAddress})
      and (${action}::text is null or a.action = ${action})`);
  const byPlace = new Map(rows.map((row) => [`${row.event} ${row.part}`, row]));
  return places.flatMap(({ event, part }) => byPlace.get(`${event} ${part}`) ?? []);
}
