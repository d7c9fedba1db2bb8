import { type Db, sql, type Tx } from '@hearth/db';

/** Changes in the groups of a person whose account ended. */
export interface Departure {
  organizers: { group: string; person: string }[];
  /** uuids of the groups archived as a result. */
  archived: string[];
  /** uuids of the apps of those groups and of their members. */
  apps: string[];
}

export async function findDeparture(db: Db, person: string): Promise<Departure | null> {
  const row = await db.maybeOne<{ result: Departure }>(
    sql`select result from groups.departures where person = ${person}`,
  );
  return row?.result ?? null;
}

/** Adds the changes of another group. */
export async function addDeparture(tx: Tx, person: string, more: Departure, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into groups.departures as d (person, result, at) values (${person}, ${JSON.stringify(more)}, ${at})
    on conflict (person) do update set result = jsonb_build_object(
      'organizers', (d.result->'organizers') || (excluded.result->'organizers'),
      'archived', (d.result->'archived') || (excluded.result->'archived'),
      'apps', (d.result->'apps') || (excluded.result->'apps'))`);
}

/** Deletes departures from before that time, at most `limit`; returns how many. */
export async function deleteDeparturesBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from groups.departures where person in (
      select person from groups.departures where at < ${moment} limit ${limit} for update skip locked)`);
}
