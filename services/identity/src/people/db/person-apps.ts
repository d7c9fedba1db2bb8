import { type Db, named, sql } from '@hearth/db';

/** Whether the app may hold people under 18; null if it does not exist or was switched off. */
export async function findAppMinors(db: Db, app: string): Promise<boolean | null> {
  const row = await db.maybeOne<{ minors: boolean }>(named('identity_find_app_minors')`
    select minors from identity.apps where id = ${app} and revoked_at is null`);
  return row?.minors ?? null;
}

/** uuid -> name of these apps, including those switched off. */
export async function findAppNames(db: Db, apps: readonly string[]): Promise<Map<string, string>> {
  if (apps.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(sql`
    select id, name from identity.apps where id = any(${apps})`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Distinct uuids of the apps that hold these people. */
export async function listAppsOf(db: Db, people: readonly string[]): Promise<string[]> {
  if (people.length === 0) return [];
  const rows = await db.query<{ app: string }>(named('identity_list_apps_of_people')`
    select distinct app from identity.people where id = any(${people}) and app is not null
      and deleted_at is null`);
  return rows.map(({ app }) => app);
}
