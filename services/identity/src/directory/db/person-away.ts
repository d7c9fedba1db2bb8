import { type Db, named, sql, type Tx } from '@hearth/db';

export interface PersonAway {
  awayUntil: Date | null;
  awayNote: string;
}

/** The person's away state; null if the person does not exist. */
export async function findAway(db: Db, person: string): Promise<PersonAway | null> {
  return await db.maybeOne<PersonAway>(named('identity_find_away')`
    select away_until as "awayUntil", away_note as "awayNote" from identity.people
    where id = ${person} and deleted_at is null`);
}

export async function updatePersonAway(tx: Tx, person: string, to: PersonAway): Promise<void> {
  await tx.execute(sql`
    update identity.people set away_until = ${to.awayUntil}, away_note = ${to.awayNote}
    where id = ${person} and deleted_at is null`);
}
