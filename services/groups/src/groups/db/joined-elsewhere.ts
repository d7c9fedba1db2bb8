import { type Db, named, type Tx } from '@hearth/db';

/** A person of this home (uuid) said yes to a group of another home (its reference). */
export async function noteJoined(tx: Tx, person: string, group: string, at: Date): Promise<void> {
  await tx.execute(named('groups_note_joined_elsewhere')`
    insert into groups.joined_elsewhere (person, "group", said_at) values (${person}, ${group}, ${at})
    on conflict do nothing`);
}

export async function forgetJoined(tx: Tx, person: string, group: string): Promise<void> {
  await tx.execute(named('groups_forget_joined_elsewhere')`
    delete from groups.joined_elsewhere where person = ${person} and "group" = ${group}`);
}

/** uuids of the people who said yes to it. */
export async function listJoined(db: Db, group: string): Promise<string[]> {
  const rows = await db.query<{ person: string }>(named('groups_list_joined_elsewhere')`
    select person from groups.joined_elsewhere where "group" = ${group}`);
  return rows.map(({ person }) => person);
}
