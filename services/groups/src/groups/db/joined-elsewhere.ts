import { type Db, named, type Tx } from '@hearth/db';

/**
 * Records that a local person (uuid) agreed to join a remote group (its reference). Returns false if already
 * recorded.
 */
export async function noteJoined(tx: Tx, person: string, group: string, at: Date): Promise<boolean> {
  const noted = await tx.execute(named('groups_note_joined_elsewhere')`
    insert into groups.joined_elsewhere (person, "group", said_at) values (${person}, ${group}, ${at})
    on conflict do nothing`);
  return noted === 1;
}

export async function forgetJoined(tx: Tx, person: string, group: string): Promise<void> {
  await tx.execute(named('groups_forget_joined_elsewhere')`
    delete from groups.joined_elsewhere where person = ${person} and "group" = ${group}`);
}

/** uuids of the people who agreed to join the remote group. */
export async function listJoined(db: Db, group: string): Promise<string[]> {
  const rows = await db.query<{ person: string }>(named('groups_list_joined_elsewhere')`
    select person from groups.joined_elsewhere where "group" = ${group}`);
  return rows.map(({ person }) => person);
}

/** References of the remote groups that a person (uuid) agreed to join. */
export async function listJoinedBy(db: Db, person: string): Promise<string[]> {
  const rows = await db.query<{ group: string }>(named('groups_list_joined_by')`
    select "group" from groups.joined_elsewhere where person = ${person}`);
  return rows.map(({ group }) => group);
}

/** Forgets consents to groups of a previous home of that name. */
export async function forgetJoinedAt(tx: Tx, home: string, before: Date): Promise<void> {
  await tx.execute(named('groups_forget_joined_at')`
    delete from groups.joined_elsewhere where starts_with("group", ${`r:${home}:`}) and said_at <= ${before}`);
}
