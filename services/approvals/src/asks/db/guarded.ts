import type { Tx } from '@hearth/db';
import { closeItems, placeItems } from './items.ts';
import type { PlaceKey, RecipientRow } from './recipients.ts';

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
      with taken as (
        update approvals.recipients
        set recipient = $3, person = $4, owner = $5, address = $6, name = $7, minor = $8, box = $9,
          guards = $10
        where approval = $1 and position = $2 returning *)
      ${placeItems('taken')}`,
    values: [approval, position, recipient, person, owner, address, name, minor, box, guards],
  });
}

/** These recipients are not asked any more. */
export async function removePlaces(tx: Tx, approval: string, positions: readonly number[]): Promise<void> {
  await tx.execute({
    name: 'approvals_remove_places',
    text: `
      with removed as (
        delete from approvals.recipients where approval = $1 and position = any($2::smallint[])
        returning approval, position)
      ${closeItems('removed')}`,
    values: [approval, positions],
  });
}
