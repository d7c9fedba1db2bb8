import { internal } from '@hearth/errors';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { anyone, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { InviteDelivery } from '../../db/invites.ts';
import type { InvitesContext } from '../../invites-context.ts';
import { type InvitedPerson, refusedToInvite } from './recipient.ts';

/** How an invite reaches whom it is sent to. */
export interface Delivered {
  delivery: InviteDelivery;
  /** uuid of the AI at their front door, or of their guardian, with whom it waits in their place. */
  holder: string | null;
}

/**
 * By the request rules of whom it is sent to, as any request of whoever makes it: nobody says of an invite what kind it is.
 *
 * @throws forbidden (turned_away) in the same words for a rule, a block and somebody under 18
 */
export async function reachRecipient(
  { rules }: Pick<InvitesContext, 'rules'>,
  { person, ai }: InvitedPerson,
  caller: Caller,
): Promise<Delivered> {
  const byAi = caller.kind === callerKinds.AI;
  const reach = {
    sender: byAi ? caller.id : (personOf(caller) ?? caller.id),
    senderKind: byAi ? 'ai' : 'person',
    senderPerson: (byAi && personOf(caller)) || '',
    // An organizer's word stands behind every invite.
    checked: true,
    recipient: person.id,
    recipientAi: ai ?? '',
    kind: RequestKind.OTHER,
    count: true,
  };
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
