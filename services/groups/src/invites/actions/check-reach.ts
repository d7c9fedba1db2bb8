import { internal } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { InviteDelivery } from '../db/invites.ts';
import { type Inviter, type ReachTarget, reachOf } from '../domain/reach-of.ts';
import { type InvitedPerson, refusedToInvite } from './read-recipient.ts';

/** How an invite reaches its recipient. */
export interface Delivered {
  delivery: InviteDelivery;
  /** uuid of the AI at the recipient's front door, or of the guardian, who holds it for the recipient. */
  holder: string | null;
}

type RulesContext = Pick<Context, 'rules'>;

async function check({ rules }: RulesContext, inviter: Inviter, to: ReachTarget) {
  const { reached } = await rules.checkReach({ reaches: [reachOf(inviter, to)] }, { caller: anonymous });
  return reached[0];
}

/**
 * Applies the recipient's request rules to a new invite, as to any request of its inviter.
 *
 * @throws forbidden (turned_away), with the same message for a rule, a block and a recipient under 18
 */
export async function reachRecipient(
  context: RulesContext,
  { person, ai }: InvitedPerson,
  inviter: Inviter,
): Promise<Delivered> {
  const answer = await check(context, inviter, { person: person.id, ai: ai ?? '', count: true });
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

/**
 * Whether an invite may go to an email address. The inviter does not learn the answer, which could reveal
 * whose address it is.
 */
export async function reachesByMail(
  context: RulesContext,
  inviter: Inviter,
  email: string,
): Promise<boolean> {
  return (await check(context, inviter, { email }))?.how === 'mail';
}

/**
 * The next holder of an invite whose guardian has lost their say: uuid of a guardian, null for the recipient,
 * undefined if the rules now turn it away.
 *
 * @param answering uuids of the guardians who can be asked, in order of preference
 */
export async function nextHolder(
  context: RulesContext,
  invite: Inviter,
  facts: PersonFacts,
  answering: readonly string[],
): Promise<string | null | undefined> {
  if (!isMinor(facts)) return null;
  const answer = await check(context, invite, { person: facts.id, ai: '', count: false });
  // The invite was counted before, so a cap reached since doesn't stop it. A block by the new guardian does.
  if (answer?.how === 'turned_away') return undefined;
  const preferred = [answer?.guardian ?? '', ...answering, ...facts.guardians];
  return preferred.find((id) => facts.guardians.includes(id));
}
