import type { Db, Tx } from '@hearth/db';
import type { InviteRow } from './invites.ts';

/** An open invite that waits with an AI or a guardian in place of its recipient. */
export type HeldInvite = Pick<
  InviteRow,
  'id' | 'group' | 'created_by_kind' | 'created_by' | 'created_by_person'
> & {
  to_person: string;
  holder: string;
};

const columns = `
  id, "group", created_by_kind, created_by, created_by_person, to_person, holder`;
const open = `status = 'waiting' and not reusable`;

/** Those that were sent to a person under 18, and wait with a guardian. */
export function heldByGuardians(db: Db, child: string): Promise<HeldInvite[]> {
  return db.query<HeldInvite>({
    name: 'groups_held_by_guardians',
    text: `
      select ${columns} from groups.invites
      where to_person = $1 and holder is not null and delivery = 'requested' and ${open}`,
    values: [child],
  });
}

/** Those that wait with these AIs at the front doors of people. */
export function heldAtDoors(db: Db, ais: readonly string[]): Promise<HeldInvite[]> {
  return db.query<HeldInvite>({
    name: 'groups_held_at_doors',
    text: `
      select ${columns} from groups.invites
      where holder = any($1::uuid[]) and delivery = 'front_door' and ${open}`,
    values: [ais],
  });
}

/** @param holder the new holder; null for the recipient */
export async function holdInvite(tx: Tx, id: string, holder: string | null): Promise<void> {
  await tx.execute({
    name: 'groups_hold_invite',
    text: `update groups.invites set holder = $2 where id = $1`,
    values: [id, holder],
  });
}
