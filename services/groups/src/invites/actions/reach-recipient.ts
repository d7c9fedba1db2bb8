import { internal } from '@hearth/errors';
import { anyone } from '@hearth/rpc';
import type { InvitesContext } from '../context.ts';
import type { InviteDelivery } from '../db/invites.ts';
import { type Inviter, reachOf } from '../domain/reach.ts';
import { type InvitedPerson, refusedToInvite } from './recipient.ts';

/** How an invite reaches whom it is sent to. */
export interface Delivered {
  delivery: InviteDelivery;
  /** uuid of the AI at their front door, or of their guardian, with whom it waits in their place. */
  holder: string | null;
}

/**
 * By the request rules of whom it is sent to, as any request of whoever makes it.
 *
 * @throws forbidden (turned_away) in the same words for a rule, a block and somebody under 18
 */
export async function reachRecipient(
  { rules }: Pick<InvitesContext, 'rules'>,
  { person, ai }: InvitedPerson,
  inviter: Inviter,
): Promise<Delivered> {
  const reach = reachOf(inviter, { person: person.id, ai: ai ?? '', count: true });
  const { reached } = await rules.checkReach({ reaches: [reach] }, { caller: anyone });
  const [answer] = reached;
  switch (answer?.how) {
    case 'inbox':
      return { delivery: 'delivered', holder: null };
    case 'requests':
      return { delivery: 'requested', holder: answer.guardian || null };
    case 'front_door':
      return { delivery: 'front_door', holder: answer.frontDoor || null };
    case 'declined':
      return { delivery: 'declined', holder: null };
    case 'turned_away':
      throw refusedToInvite();
    default:
      throw internal(`approvals lets an invite reach somebody in a way unknown here: ${answer?.how}`);
  }
}
