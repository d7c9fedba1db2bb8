import { badRequest, forbidden, notFound } from '@hearth/errors';
import { stateDue } from '@hearth/home-acts';
import { type Commit, createMachine, type Machine, type UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { type GroupRow, lockGroup, raiseSeq, updateGroup } from '../db/groups.ts';
import { appsOfMembers, findMember, hasElsewhere, listMembers } from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';
import { type GroupChange, groupArchived, groupsTopic, groupUpdated, type Why } from '../domain/events.ts';
import { changesOf, type GroupAct, nextGroup } from '../domain/group-state.ts';

/** An act with the rest of its event. `apps` defaults to the apps that hold members. */
export type AnnouncedAct = GroupAct & Partial<Pick<GroupChange, 'apps' | 'topics'>> & { caller?: Caller };

export type GroupMachine = Machine<string, GroupRow, AnnouncedAct, void>;

/** Every change of a group or its members locks the group's row, so changes of one group never overlap. */
export function groupMachine(commit: Commit): GroupMachine {
  return createMachine<string, GroupRow, AnnouncedAct, void>({
    commit,
    lock: lockGroup,
    next: nextGroup,
    async write(tx, { before, after, act }) {
      await updateGroup(tx, after);
      const { topics, apps = await appsOfMembers(tx, after.id) } = act;
      const change = { group: after, seq: after.seq, apps, by: act.caller, topics };
      if (act.kind === 'archive') tx.announce(groupArchived(change, act.why));
      else
        tx.announce(groupUpdated(change, act.kind === 'restore' ? ['archived'] : changesOf(before, after)));
      await tellHomes(tx, after.id);
    },
  });
}

/**
 * Counts a change of membership. Call it before deleting or after inserting the member, so that `apps`
 * includes theirs.
 */
export async function changeOfMember(
  tx: UnitOfWork,
  group: GroupRow,
  person: string,
  by?: Caller,
): Promise<GroupChange> {
  const apps = await appsOfMembers(tx, group.id);
  await tellHomes(tx, group.id);
  return { group, seq: await raiseSeq(tx, group.id), apps, by, topics: [groupsTopic(person)] };
}

/** Queues the group's current state for its members' homes. */
async function tellHomes(tx: UnitOfWork, group: string): Promise<void> {
  if (await hasElsewhere(tx, group)) tx.announce(stateDue('groups', 'group', group));
}

/** The reason together with the group's organizers (uuids), who are notified of it. */
export async function reasonFor(tx: UnitOfWork, group: string, reason = ''): Promise<Why> {
  const told = reason === '' ? [] : await listMembers(tx, group, 'organizer');
  return { reason, organizers: told.map(({ person }) => person) };
}

/** @throws not_found if the person is not a member, forbidden if they are not an organizer */
export async function requireOrganizer(
  db: Parameters<typeof findMember>[0],
  group: string,
  person: string,
): Promise<void> {
  const member = await findMember(db, group, person);
  if (member === null) throw notFound();
  if (member.role !== 'organizer')
    throw forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
}

/** @throws bad_request (archived) */
export function requireActive(group: GroupRow, now: number): void {
  if (isArchived(group, now)) throw badRequest('this group is archived', { code: 'archived' });
}
