import type { Context } from '../context.ts';
import { type HeldInvite, holdInvite } from '../db/held-invites.ts';
import { invitesTopic, noticesFor, type PersonWithGuardians, personNotified } from '../domain/events.ts';
import { invitedChild, invited as invitedNotice } from '../domain/notices.ts';

/**
 * Moves an invite that waits with an AI or a guardian to its next holder, without a notice to its maker.
 *
 * @param next uuid of a guardian; null for the recipient; undefined when it reaches no one any more
 */
export async function moveInvite(
  { invites }: Pick<Context, 'invites'>,
  { id, group, holder }: HeldInvite,
  invited: PersonWithGuardians,
  next: string | null | undefined,
): Promise<void> {
  await invites.locked({ id, group }, async (tx, locked) => {
    // Answered, passed on or moved meanwhile.
    if (locked.invite.status !== 'waiting' || locked.invite.holder !== holder) return;
    tx.wake(...[holder, next ?? invited.facts.id].map(invitesTopic));
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
