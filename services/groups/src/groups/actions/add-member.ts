import type { Tx } from '@hearth/db';
import { badRequest } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { OutboxRow } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { ageBandWord } from '../../shared/domain/enum-names.ts';
import { joinRefusal } from '../../shared/domain/fits.ts';
import { groupsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { type GroupRow, raiseSeq } from '../db/groups.ts';
import {
  appsOfMembers,
  countGroupsOf,
  countMembers,
  findMember,
  insertMember,
  type MemberRow,
  type Via,
} from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';
import { memberJoined } from '../domain/events.ts';

export interface HowJoined {
  role: MemberRow['role'];
  via: Via;
  /** uuid of the invite. */
  invite?: string | undefined;
  /** The app's own item that the invite points at. */
  itemRef?: string | undefined;
  /** uuid of the guardian who gave their word for somebody under 18. */
  guardian?: string | undefined;
}

/**
 * Puts somebody into a group whose row `tx` has locked (lockGroup). The event of it, which the caller announces in the
 * same transaction; null when they are a member already.
 *
 * @throws bad_request: archived, minors_not_allowed, guardian_needed, cap_reached
 */
export async function addMember(
  { clock, limits, outbox }: Pick<Context, 'clock' | 'limits' | 'outbox'>,
  tx: Tx,
  group: GroupRow,
  person: PersonFacts,
  how: HowJoined,
  by: Caller | undefined,
): Promise<OutboxRow | null> {
  if ((await findMember(tx, group.id, person.id)) !== null) return null;
  const now = clock.now();
  if (isArchived(group, now))
    throw badRequest('this group is archived: nobody can join it any more', { code: 'archived' });
  const refusal = joinRefusal(group, person, how.guardian !== undefined);
  if (refusal !== null) throw refusal;
  await refuseTooMany(limits, tx, group.id, person.id);

  await insertMember(tx, {
    group: group.id,
    person: person.id,
    role: how.role,
    joined_at: new Date(now),
    via: how.via,
    age_band: ageBandWord(person.ageBand),
    app: person.app || null,
    guardian: how.guardian ?? null,
  });
  const seq = await raiseSeq(tx, group.id);
  const told = { group, seq, apps: await appsOfMembers(tx, group.id), by, topics: [groupsTopic(person.id)] };
  return memberJoined(outbox, told, person, how);
}

async function refuseTooMany(
  limits: Context['limits'],
  tx: Tx,
  group: string,
  person: string,
): Promise<void> {
  const most = sizeOf(limits, 'group_members');
  if ((await countMembers(tx, group)) >= most) {
    throw badRequest(`this group is full: a group has at most ${most} members`, {
      code: 'cap_reached',
      limit: 'group_members',
    });
  }
  await refuseTooManyGroups(limits, tx, person);
}

/** @throws bad_request (cap_reached) when somebody is in as many groups as a person can be */
export async function refuseTooManyGroups(limits: Context['limits'], tx: Tx, person: string): Promise<void> {
  const mostGroups = sizeOf(limits, 'groups_a_person');
  if ((await countGroupsOf(tx, person)) >= mostGroups) {
    throw badRequest(`a person is in at most ${mostGroups} groups; leave one first`, {
      code: 'cap_reached',
      limit: 'groups_a_person',
    });
  }
}
