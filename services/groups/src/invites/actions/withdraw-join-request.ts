import { nowDate } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { inviteEnded, noticesFor, type PersonWithGuardians } from '../domain/events.ts';
import { cameToNothing } from '../domain/notices.ts';
import { changeOfInvite, findInviter, type LockedInvite } from './invite-machine.ts';
import { closeApproval, syncJoinApprovals } from './join-approvals.ts';

/** Withdraws a join request or declines an invite. With `silent`, its maker gets no notice. */
export async function withdrawOrDecline(
  context: Context,
  invite: InviteRow,
  facts: PersonFacts,
  { note = '', silent = false }: { note?: string; silent?: boolean },
  caller: Caller,
): Promise<void> {
  const inviter = silent ? null : await findInviter(context, invite);
  await context.invites.locked(invite, (tx, locked) =>
    withdraw(context, tx, locked, facts, { inviter, note }, caller),
  );
  await syncJoinApprovals(context, invite.id);
}

export async function withdraw(
  context: Context,
  tx: UnitOfWork,
  locked: LockedInvite,
  facts: PersonFacts,
  { inviter, note }: { inviter: PersonWithGuardians | null; note: string },
  caller: Caller,
): Promise<void> {
  const { group, invite } = locked;
  const join = await findJoinRequest(tx, invite.id, facts.id);
  const declines = join === null && invite.to_person === facts.id && !invite.reusable;
  if (join === null && !declines) throw notFound();
  if (join?.status === 'withdrawn' || (declines && invite.why === 'declined')) return;
  if (join !== null && join.status !== 'waiting')
    throw badRequest('your wish to join does not wait any more', { code: 'not_waiting' });

  const why = declines ? 'declined' : 'withdrawn';
  const { done: moved } = await context.invites.take(tx, locked, why);
  if (moved === undefined)
    throw badRequest('this invite has come to its end already', { code: 'not_waiting' });
  if (join !== null) {
    await writeJoinRequest(tx, { ...join, status: 'withdrawn', ended_at: nowDate(context.clock) });
    await closeApproval(context, tx, join, 'cancelled');
  }
  tx.announce(inviteEnded(await changeOfInvite(tx, locked, [facts], caller), why, facts));
  if (moved.status === 'declined' && inviter !== null)
    tx.announce(...noticesFor(inviter, cameToNothing(group, moved, caller, note)));
}
