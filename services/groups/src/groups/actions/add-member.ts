import type { Tx } from '@hearth/db';
import { badRequest } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { ageBandName } from '../../shared/domain/enum-names.ts';
import { joinRefusal } from '../../shared/domain/fits.ts';
import type { Context } from '../context.ts';
import type { GroupRow } from '../db/groups.ts';
import {
  countElsewhere,
  countGroupsOf,
  countMembers,
  findMember,
  insertMember,
  type MemberRow,
  mostTold,
  type Via,
} from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';
import { memberJoined } from '../domain/events.ts';
import { changeOfMember } from './group-machine.ts';

export interface HowJoined {
  role: MemberRow['role'];
  via: Via;
  /** uuid of the invite. */
  invite?: string | undefined;
  /** The app's own reference for the invite. */
  itemRef?: string | undefined;
  /** uuid of the app that `itemRef` belongs to. */
  itemApp?: string | undefined;
  /** uuid of the guardian who agreed; set only for members under 18. */
  guardian?: string | undefined;
  by: Caller;
}

/**
 * Adds a person to a group whose row `tx` has locked. Returns false if they are already a member.
 *
 * @throws bad_request: archived, minors_not_allowed, guardian_needed, cap_reached
 */
export async function addMember(
  { clock, limits }: Pick<Context, 'clock' | 'limits'>,
  tx: UnitOfWork,
  group: GroupRow,
  person: PersonFacts,
  how: HowJoined,
): Promise<boolean> {
  if ((await findMember(tx, group.id, person.id)) !== null) return false;
  const now = clock.now();
  if (isArchived(group, now))
    throw badRequest('this group is archived: nobody can join it any more', { code: 'archived' });
  const refusal = joinRefusal(group, person, how.guardian !== undefined);
  if (refusal !== null) throw refusal;
  const most = sizeOf(limits, 'group_members');
  if ((await countMembers(tx, group.id)) >= most) {
    throw badRequest(`this group is full: a group has at most ${most} members`, {
      code: 'cap_reached',
      limit: 'group_members',
    });
  }
  // Other homes receive at most `mostTold` members, including all remote ones.
  if (person.home !== '' && (await countElsewhere(tx, group.id)) >= mostTold)
    throw badRequest(`this group is full: at most ${mostTold} of its members are of other homes`, {
      code: 'cap_reached',
      limit: 'group_members',
    });
  await refuseTooManyGroups(limits, tx, person.id);

  await insertMember(tx, {
    group: group.id,
    person: person.id,
    role: how.role,
    joined_at: new Date(now),
    via: how.via,
    age_band: ageBandName(person.ageBand),
    app: person.app || null,
    guardian: how.guardian ?? null,
    home: person.home || null,
  });
  tx.announce(memberJoined(await changeOfMember(tx, group, person.id, how.by), person, how));
  return true;
}

/** @throws bad_request (cap_reached) if the person has reached their maximum number of groups */
export async function refuseTooManyGroups(limits: Context['limits'], tx: Tx, person: string): Promise<void> {
  const most = sizeOf(limits, 'groups_a_person');
  if ((await countGroupsOf(tx, person)) >= most) {
    throw badRequest(`a person is in at most ${most} groups; leave one first`, {
      code: 'cap_reached',
      limit: 'groups_a_person',
    });
  }
}
