import { type Db, named } from '@hearth/db';

/** uuids of the apps that made a group of a person, or hold another member of it at that time. */
export async function appsOfFellows(db: Db, person: string, at: Date): Promise<string[]> {
  const rows = await db.query<{ app: string }>(named('groups_apps_of_fellows')`
    with mine as (select m."group" from groups.members m
      where m.person = ${person} and m.joined_at <= ${at})
    select o.app from groups.members o join mine on mine."group" = o."group" where o.app is not null and o.joined_at <= ${at}
    union
    select g.app from groups.groups g join mine on mine."group" = g.id where g.app is not null`);
  return rows.map(({ app }) => app);
}
