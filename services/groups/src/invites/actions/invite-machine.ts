import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { internal, notFound } from '@hearth/errors';
import { stateDue } from '@hearth/home-acts';
import { createItemNotes, type ItemsChange, itemsChanged } from '@hearth/items';
import { createMachine, type Machine, type UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import {
  addMember,
  appsOfMembers,
  findMember,
  type GroupRow,
  lockGroup,
  type MemberRow,
} from '../../groups/module.ts';
import type { Context } from '../context.ts';
import { type InviteRow, lockInvite, updateInvite } from '../db/invites.ts';
import { placeInvite } from '../db/items.ts';
import { type JoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { deleteMail } from '../db/mails.ts';
import type { InviteChange, PersonWithGuardians } from '../domain/events.ts';
import { advance, atMoment, type InviteTrigger } from '../domain/invite-state.ts';
import { changeOfItem } from '../domain/items.ts';

export interface LockedInvite {
  group: GroupRow;
  /** The current state: declined once it has expired. */
  invite: InviteRow;
  /** The state stored in its row. */
  stored: InviteRow;
}

export interface LockedJoinRequest extends LockedInvite {
  join: JoinRequest;
}

export type InviteMachine = Machine<Pick<InviteRow, 'id' | 'group'>, LockedInvite, InviteTrigger, InviteRow>;

/**
 * Every change of an invite locks the group's row, then the invite's, and places or closes the recipient's
 * item. An impossible trigger changes nothing.
 */
export function inviteMachine(host: Pick<Host, 'clock' | 'commit' | 'log' | 'peer'>): InviteMachine {
  const { clock, commit } = host;
  const items = createItemNotes(host);
  const machine: InviteMachine = createMachine({
    commit,
    async lock(tx, key) {
      const group = await lockGroup(tx, key.group);
      const stored = group && (await lockInvite(tx, key.id));
      return group && stored && { group, stored, invite: atMoment(stored, clock.now()) };
    },
    next(state, trigger) {
      const next = advance(state.invite, trigger);
      return next === null ? state : { ...state, invite: { ...state.invite, ...next } };
    },
    async write(tx, { after: { invite } }) {
      await updateInvite(tx, invite);
      if (invite.status === 'declined' || invite.status === 'used') await deleteMail(tx, invite.id);
      if (invite.home !== null) tx.announce(stateDue('groups', 'invite', invite.id));
      return invite;
    },
  });

  const locked: InviteMachine['locked'] = async (key, work) => {
    let change: ItemsChange = {};
    const answer = await machine.locked(key, async (tx, state) => {
      const result = await work(tx, state);
      change = await announceItem(tx, state.stored, nowDate(clock));
      return result;
    });
    await items.note(change);
    return answer;
  };

  return {
    take: machine.take,
    locked,
    act: (key, decide) =>
      locked(key, async (tx, state) => {
        const trigger = await decide(state, tx);
        return trigger === null ? { state, done: undefined } : await machine.take(tx, state, trigger);
      }),
  };
}

/** Announces that a locked invite began or ceased to wait for its recipient; noted after the commit. */
export async function announceItem(
  tx: UnitOfWork,
  { id, reusable, to_person }: Pick<InviteRow, 'id' | 'reusable' | 'to_person'>,
  now: Date,
): Promise<ItemsChange> {
  const row = reusable || to_person === null ? null : await placeInvite(tx, id, now);
  if (row === null) return {};
  const change = changeOfItem(row);
  tx.announce(itemsChanged(change));
  return change;
}

/** Lets in a joiner whose join request has all its approvals. */
export async function admit(
  context: Pick<Context, 'clock' | 'invites' | 'limits'>,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  { facts }: PersonWithGuardians,
  by: Caller,
): Promise<{ join: JoinRequest; member: MemberRow }> {
  const { group, invite, join } = at;
  const how = {
    role: 'member',
    via: join.via,
    invite: invite.id,
    itemRef: invite.item_ref,
    itemApp: invite.app ?? '',
    guardian: join.needs_guardian ? (join.guardian ?? undefined) : undefined,
    by,
  } as const;
  await addMember(context, tx, group, facts, how);
  // Each pending join request holds a use, and no use is promised twice.
  if ((await context.invites.take(tx, at, 'joined')).done === undefined)
    throw internal('a join request has every approval, and its invite has no use left');
  const joined: JoinRequest = { ...join, status: 'joined', ended_at: nowDate(context.clock) };
  await writeJoinRequest(tx, joined);
  const member = await findMember(tx, group.id, join.person);
  if (member === null) throw notFound();
  return { join: joined, member };
}

/** @param concerned people whose apps also receive the event */
export async function changeOfInvite(
  tx: Tx,
  { group, invite }: Pick<LockedInvite, 'group' | 'invite'>,
  concerned: readonly Pick<PersonFacts, 'app'>[],
  by: Caller | undefined,
): Promise<InviteChange> {
  const apps = await appsOfMembers(tx, group.id);
  return { group, invite, apps: [...apps, ...concerned.map(({ app }) => app)], by };
}

export async function withGuardians(
  { people }: Pick<Context, 'people'>,
  facts: PersonFacts,
): Promise<PersonWithGuardians> {
  const guardians = await people.find(facts.guardians);
  return { facts, guardians: [...guardians.values()] };
}

/** The organizer who made the invite, to be notified of its outcome; null if no longer an organizer of the group. */
export async function findInviter(
  context: Pick<Context, 'database' | 'people'>,
  { created_by_person, group }: Pick<InviteRow, 'created_by_person' | 'group'>,
): Promise<PersonWithGuardians | null> {
  const [facts, member] = await Promise.all([
    context.people.findOne(created_by_person),
    findMember(context.database.db, group, created_by_person),
  ]);
  if (member?.role !== 'organizer') return null;
  return facts === null ? null : await withGuardians(context, facts);
}
