import type { Tx } from '@hearth/db';
import { internal, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { addMember } from '../../groups/actions/add-member.ts';
import { type Changed, changeGroup } from '../../groups/actions/change-group.ts';
import type { Context } from '../../groups/context.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import { appsOfMembers } from '../../groups/db/members.ts';
import { type InviteRow, lockInvite, updateInvite } from '../db/invites.ts';
import { type JoinRow, writeJoin } from '../db/join-requests.ts';
import type { InviteAnnouncement, Notice } from '../domain/events.ts';
import { noticeFor } from '../domain/events.ts';
import { advance, atMoment, type InviteTrigger } from '../domain/invite-state.ts';

/** Somebody who wants to join, and who guards them. */
export interface Joiner {
  facts: PersonFacts;
  guardians: PersonFacts[];
}

/**
 * Changes an invite with its group and then itself locked, so that what comes at once is done one after the other.
 * `change` is given the invite as it is now (declined when its time is over) and as it is stored.
 *
 * @throws not_found for one that there is not
 */
export async function changeInvite<Result>(
  context: Pick<Context, 'clock' | 'database' | 'outbox'>,
  { id, group }: Pick<InviteRow, 'id' | 'group'>,
  change: (tx: Tx, group: GroupRow, invite: InviteRow, stored: InviteRow) => Promise<Changed<Result>>,
): Promise<Result> {
  return await changeGroup(context, group, async (tx, row) => {
    const stored = await lockInvite(tx, id);
    if (stored === null) throw notFound();
    return await change(tx, row, atMoment(stored, context.clock.now()), stored);
  });
}

/** The invite after that has happened, written; null where it cannot happen. */
export async function move(tx: Tx, invite: InviteRow, trigger: InviteTrigger): Promise<InviteRow | null> {
  const next = advance(invite, trigger);
  if (next === null) return null;
  const moved = { ...invite, ...next };
  await updateInvite(tx, moved);
  return moved;
}

/** Lets somebody in whose wish has every word that it needs. */
export async function admit(
  context: Context,
  tx: Tx,
  at: { group: GroupRow; invite: InviteRow; join: JoinRow },
  { facts }: Joiner,
  by: Caller,
): Promise<{ invite: InviteRow; join: JoinRow; events: OutboxRow[] }> {
  const { group, invite, join } = at;
  const how = {
    role: 'member',
    via: join.via,
    invite: invite.id,
    itemRef: invite.item_ref,
    guardian: join.needs_guardian ? (join.guardian ?? undefined) : undefined,
  } as const;
  const joined = await addMember(context, tx, group, facts, how, by);
  const moved = await move(tx, invite, 'joined');
  // Each who waits holds a use, and no use is promised twice.
  if (moved === null) throw internal('an invite that somebody may join by has no use left');
  const settled: JoinRow = { ...join, status: 'joined', ended_at: new Date(context.clock.now()) };
  await writeJoin(tx, settled);
  return { invite: moved, join: settled, events: joined === null ? [] : [joined] };
}

/** What the events of an invite carry. */
export async function announcementOf(
  tx: Tx,
  group: GroupRow,
  invite: InviteRow,
  concerned: readonly Pick<PersonFacts, 'app'>[],
  by: Caller | undefined,
): Promise<InviteAnnouncement> {
  const apps = await appsOfMembers(tx, group.id);
  return { group, invite, apps: [...apps, ...concerned.map(({ app }) => app)], by };
}

/**
 * Tells somebody; in place of somebody under 18 their guardians.
 *
 * @param saidBy uuid of whose word it is, who need not be told of it
 */
export function tell(
  { outbox }: Pick<Context, 'outbox'>,
  { facts, guardians }: Joiner,
  notice: Notice,
  saidBy = '',
): OutboxRow[] {
  const others = guardians.filter(({ id }) => id !== saidBy);
  return noticeFor(outbox, facts, others, notice, isMinor(facts));
}

/** The joiner with who guards them, from what is known of them. */
export async function withGuardians(
  { people }: { people: Pick<Context['people'], 'find'> },
  facts: PersonFacts,
): Promise<Joiner> {
  const guardians = await people.find(facts.guardians);
  return { facts, guardians: [...guardians.values()] };
}
