import { badRequest, forbidden, notFound } from '@hearth/errors';
import { stateDue } from '@hearth/home-acts';
import { type Commit, createMachine, type Machine, type UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { type GroupRow, lockGroup, raiseSeq, updateGroup } from '../db/groups.ts';
import { appsOfMembers, findMember, hasElsewhere, listMembers } from '../db/members.ts';
import { isArchived } from '../domain/ended.ts';
import { type GroupChange, groupArchived, groupsTopic, groupUpdated, type Why } from '../domain/events.ts';
import { changesOf, type GroupAct, nextGroup } from '../domain/group-state.ts';

/** An act with the rest of its event; `apps` are those that hold members when not given. */
export type AnnouncedAct = GroupAct & Partial<Pick<GroupChange, 'apps' | 'topics'>> & { caller?: Caller };

export type GroupMachine = Machine<string, GroupRow, AnnouncedAct, void>;

/** Each change of a group or its members has the group's row locked, so that changes of one group never overlap. */
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

/** Counts a change of the members. Call it before a member is deleted and after one is inserted, for the apps. */
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

/** Says that the homes of its members are to be told how it is now. */
async function tellHomes(tx: UnitOfWork, group: string): Promise<void> {
  if (await hasElsewhere(tx, group)) tx.announce(stateDue('groups', 'group', group));
}

/** That reason, with the organizers of the group (uuid), who are told of it. */
export async function reasonFor(tx: UnitOfWork, group: string, reason = ''): Promise<Why> {
  const told = reason === '' ? [] : await listMembers(tx, group, 'organizer');
  return { reason, organizers: told.map(({ person }) => person) };
}

/** @throws not_found when the person is no member, forbidden when they are no organizer */
export async function requireOrganizer(
  db: Parameters<typeof findMember>[0],
  group: string,
  person: string,
): Promise<void> {
  const member = await findMember(db, group, person);
  if (member === null) throw notFound();
  if (member.role !== 'organizer') throw forbidden('only an organizer of the group can do this');
}

/** @throws bad_request (archived) */
export function requireActive(group: GroupRow, now: number): void {
  if (isArchived(group, now)) throw badRequest('this group is archived', { code: 'archived' });
}
