import type { Family } from '@hearth/proto/approvals/v1/items';
import { anonymous } from '@hearth/rpc';
import { personNotified } from '../../shared/domain/notice.ts';
import type { Context } from '../context.ts';
import { forgetRecipient, holdInvite, type InviteRow } from '../db/invites.ts';
import { noticesFor, type PersonWithGuardians } from '../domain/events.ts';
import { invitedChild, invited as invitedNotice } from '../domain/notices.ts';
import { nextHolder } from './check-reach.ts';
import { withGuardians } from './invite-machine.ts';

/** Moves an invite from the AI at a front door to the recipient. */
export async function moveToOwner(context: Context, invite: InviteRow): Promise<void> {
  const { holder, delivery, to_person } = invite;
  if (holder === null || delivery !== 'front_door' || to_person === null) return;
  const facts = await context.people.findOne(to_person);
  if (facts === null) return;
  await moveInvite(context, { ...invite, holder }, await withGuardians(context, facts), null);
}

/** Moves an invite from a former or suspended guardian to the next one, or to the recipient once they are of age. */
export async function moveToFamily(
  context: Context,
  invite: InviteRow,
  { answering, child, suspended }: Family,
): Promise<void> {
  const { holder, delivery, to_person } = invite;
  if (holder === null || delivery !== 'requested' || to_person !== child) return;
  if (answering.includes(holder) && !suspended.includes(holder)) return;
  // Bypasses the cache, which may be older than the change.
  const { results } = await context.identity.findPeople({ ids: [child] }, { caller: anonymous });
  const facts = results[0]?.facts;
  if (facts === undefined) return;
  const invited = await withGuardians(context, facts);
  const next = await nextHolder(context, invite, facts, answering);
  if (next !== holder) await moveInvite(context, { ...invite, holder }, invited, next);
}

/** @param why blocked; or recipient_gone, which keeps the invite open to holders of its link */
export async function endForRecipient({ invites }: Context, invite: InviteRow, why: string): Promise<void> {
  if (why === 'blocked') await invites.act(invite, () => 'declined');
  else await invites.locked(invite, (tx) => forgetRecipient(tx, invite.id));
}

/**
 * Moves a held invite to its next holder without notifying its maker.
 *
 * @param next uuid of a guardian; null for the recipient; undefined if the rules now turn it away
 */
async function moveInvite(
  { invites }: Pick<Context, 'invites'>,
  { id, group, holder }: Pick<InviteRow, 'id' | 'group'> & { holder: string },
  invited: PersonWithGuardians,
  next: string | null | undefined,
): Promise<void> {
  await invites.locked({ id, group }, async (tx, locked) => {
    // Answered, passed on or moved meanwhile.
    if (locked.invite.status !== 'waiting' || locked.invite.holder !== holder) return;
    if (next === undefined) {
      await invites.take(tx, locked, 'declined');
      return;
    }
    await holdInvite(tx, id, next);
    const invite = { ...locked.invite, holder: next };
    if (next === null) tx.announce(...noticesFor(invited, invitedNotice(locked.group, invite, undefined)));
    const guardian = invited.guardians.find((each) => each.id === next);
    if (guardian === undefined) return;
    tx.announce(
      personNotified(guardian, invited.facts.id, invitedChild(locked.group, invite, invited, undefined)),
    );
  });
}
