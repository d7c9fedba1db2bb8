import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import type { Changed } from '../../groups/actions/change-group.ts';
import { whoseWord } from '../../groups/actions/viewer.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import {
  announcementOf,
  changeInvite,
  type Joiner,
  move,
  tell,
  withGuardians,
} from '../actions/change-invite.ts';
import { heldInvite } from '../actions/find-invite.ts';
import { closeAsk, tellAsks } from '../actions/join-approvals.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoin, writeJoin } from '../db/join-requests.ts';
import { inviteEnded } from '../domain/events.ts';
import { cameToNothing } from '../domain/notices.ts';
import type { InvitesHandlers } from './index.ts';

/** Takes a wish to join back; who was sent a one-time invite and never asked declines it. Repeated, it answers the same. */
export function withdrawJoin(context: InvitesContext): InvitesHandlers['withdrawJoin'] {
  const { people } = context;
  return async (request, { caller }) => {
    const person = whoseWord(caller);
    const held = await heldInvite(context, request.code, caller);
    const facts = await people.findOne(person);
    if (facts === null) throw notFound();
    await takeBack(context, held, facts, {}, caller);
    return { withdrawn: true };
  };
}

/** What is said to who sent an invite that is declined, and whether anything is. */
interface Farewell {
  note?: string;
  silent?: boolean;
}

/** Takes back the wish of somebody, or declines what was sent to them. */
export async function takeBack(
  context: InvitesContext,
  held: InviteRow,
  facts: Joiner['facts'],
  { note = '', silent = false }: Farewell,
  caller: Caller,
): Promise<void> {
  const inviter = silent ? null : await inviterOf(context, held);
  await changeInvite(context, held, (tx, group, invite) =>
    withdraw(context, tx, { group, invite }, facts, { inviter, note }, caller),
  );
  await tellAsks(context, held.id);
}

/** The wish of somebody, taken back by themselves. */
export async function withdraw(
  context: InvitesContext,
  tx: Tx,
  { group, invite }: { group: GroupRow; invite: InviteRow },
  facts: Joiner['facts'],
  { inviter, note }: { inviter: Joiner | null; note: string },
  caller: Caller,
): Promise<Changed<void>> {
  const nothing = { result: undefined, events: [] };
  const join = await findJoin(tx, invite.id, facts.id);
  const declines = join === null && invite.to_person === facts.id && !invite.reusable;
  if (join === null && !declines) throw notFound();
  if (join?.status === 'withdrawn' || (declines && invite.why === 'declined')) return nothing;
  if (join !== null && join.status !== 'waiting')
    throw badRequest('your wish to join does not wait any more', { code: 'not_waiting' });

  const why = declines ? 'declined' : 'withdrawn';
  const moved = await move(tx, invite, why);
  if (moved === null) throw badRequest('this invite has come to its end already', { code: 'not_waiting' });
  if (join !== null) {
    await writeJoin(tx, { ...join, status: 'withdrawn', ended_at: new Date(context.clock.now()) });
    await closeAsk(context, tx, join, 'cancelled');
  }
  const told = await announcementOf(tx, group, invite, [facts], caller);
  const notices =
    moved.status === 'declined' && inviter !== null
      ? tell(context, inviter, cameToNothing(group, moved, caller, note))
      : [];
  return { result: undefined, events: [inviteEnded(context.outbox, told, why, facts), ...notices] };
}

/** Whose word an invite was, when their account is there still. */
export async function inviterOf(
  context: Pick<InvitesContext, 'people'>,
  { created_by_person }: InviteRow,
): Promise<Joiner | null> {
  const facts = await context.people.findOne(created_by_person);
  return facts === null ? null : await withGuardians(context, facts);
}
