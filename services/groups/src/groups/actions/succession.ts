import type { Tx } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import type { GroupRow } from '../db/groups.ts';
import { countOrganizers, longestStandingAdult, type MemberRow, setRole } from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';
import { type AnnouncedPerson, roleChanged } from '../domain/events.ts';
import { changeOfMember } from './group-machine.ts';

/** The consequences for a group when an organizer goes without deciding it. */
export interface Succession {
  /** uuid of the new organizer. */
  successor: string | null;
  archived: boolean;
}

/** Finds the member who succeeds `leaver`; null if the group keeps an organizer or has no other adult. */
export async function findSuccessor(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  group: GroupRow,
  leaver: MemberRow,
): Promise<MemberRow | null> {
  return (await isLastOrganizer(tx, group, leaver, clock.now()))
    ? await longestStandingAdult(tx, group.id, leaver.person)
    : null;
}

/**
 * Ensures that an active group has an adult organizer: the longest-standing adult succeeds `leaver`, or the
 * group is archived. Call it with the group's row locked, while `leaver` is still a member.
 *
 * @param nameOf returns the successor as the event shows them
 */
export async function succeed(
  { clock, groups }: Pick<Context, 'clock' | 'groups'>,
  tx: UnitOfWork,
  group: GroupRow,
  leaver: MemberRow,
  nameOf: (person: MemberRow) => AnnouncedPerson,
): Promise<Succession> {
  const now = clock.now();
  if (!(await isLastOrganizer(tx, group, leaver, now))) return { successor: null, archived: false };
  const successor = await longestStandingAdult(tx, group.id, leaver.person);
  if (successor !== null && (await setRole(tx, group.id, successor.person, 'organizer'))) {
    tx.announce(
      roleChanged(await changeOfMember(tx, group, successor.person), nameOf(successor), 'organizer'),
    );
    return { successor: successor.person, archived: false };
  }
  await groups.take(tx, group, { kind: 'archive', why: 'organizer_left', by: null, at: new Date(now) });
  return { successor: null, archived: true };
}

export async function isLastOrganizer(
  tx: Tx,
  group: GroupRow,
  member: Pick<MemberRow, 'role'>,
  now: number,
): Promise<boolean> {
  if (member.role !== 'organizer' || isArchived(group, now)) return false;
  return (await countOrganizers(tx, group.id)) === 1;
}
