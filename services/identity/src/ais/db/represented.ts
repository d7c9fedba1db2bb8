import { type Db, named } from '@hearth/db';

export interface RepresentedWanted {
  /** uuids */
  people: readonly string[];
  permission: string;
}

/** For each entry: the people (uuids) whose AI, not switched off, holds the permission. */
export async function findRepresented(db: Db, wanted: readonly RepresentedWanted[]): Promise<string[][]> {
  const permissions = [...new Set(wanted.map(({ permission }) => permission))];
  const people = [...new Set(wanted.flatMap((entry) => entry.people))];
  const rows = await db.query<{ owner: string; held: string[] }>(named('identity_find_represented')`
    select a.owner, array_agg(h.permission) as held
    from identity.ais a join unnest(${permissions}::text[]) as h (permission) on h.permission = any(a.permissions)
    where a.owner = any(${people}::uuid[]) and a.status = 'claimed' and a.revoked_at is null
    group by a.owner`);
  const held = new Map(rows.map((row) => [row.owner, row.held]));
  return wanted.map((entry) =>
    [...new Set(entry.people)].filter((person) => held.get(person)?.includes(entry.permission)),
  );
}
