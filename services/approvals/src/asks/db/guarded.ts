import type { Db, Tx } from '@hearth/db';
import type { PlaceKey, RecipientRow } from './recipients.ts';

/** uuids of approvals that wait for a guardian of that child, behind `after`, in order. */
export async function openAboutChild(
  db: Db,
  child: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ approval: string }>({
    name: 'approvals_open_about_child',
    text: `
      select distinct approval from approvals.recipients
      where guards = $1 and decision = 'waiting' and status = 'waiting' and ($2::uuid is null or approval > $2)
      order by approval limit $3`,
    values: [child, after, limit],
  });
  return rows.map(({ approval }) => approval);
}

/** The recipient of a place, and the list in which it stands. */
export type Taken = Pick<
  RecipientRow,
  'recipient' | 'person' | 'owner' | 'address' | 'name' | 'minor' | 'box' | 'guards'
>;

/** Another person is asked in that place. */
export async function takePlace(
  tx: Tx,
  { approval, position }: PlaceKey,
  { recipient, person, owner, address, name, minor, box, guards }: Taken,
): Promise<void> {
  await tx.execute({
    name: 'approvals_take_place',
    text: `
      update approvals.recipients
      set recipient = $3, person = $4, owner = $5, address = $6, name = $7, minor = $8, box = $9,
        guards = $10
      where approval = $1 and position = $2`,
    values: [approval, position, recipient, person, owner, address, name, minor, box, guards],
  });
}

/** These recipients are not asked any more. */
export async function removePlaces(tx: Tx, approval: string, positions: readonly number[]): Promise<void> {
  await tx.execute({
    name: 'approvals_remove_places',
    text: `delete from approvals.recipients where approval = $1 and position = any($2::smallint[])`,
    values: [approval, positions],
  });
}
