import { isMinor } from '@hearth/people';
import { anyone } from '@hearth/rpc';
import type { InvitesContext } from '../context.ts';
import { type Inviter, reachOf } from '../domain/reach.ts';

/**
 * Whether an invite may go to an e-mail address: the one by which somebody signs in here leads around neither their rules
 * nor their blocks, and to somebody under 18 for their guardians alone. Whoever invites is told nothing of it, for they
 * would learn whose address it is.
 */
export async function reachesByMail(
  { identity, rules }: Pick<InvitesContext, 'identity' | 'rules'>,
  inviter: Inviter,
  email: string,
): Promise<boolean> {
  const { results } = await identity.people.findPeople({ emails: [email] }, { caller: anyone });
  const person = results[0]?.facts;
  if (person === undefined) return true;
  const by = inviter.created_by_person;
  if (isMinor(person)) return by === person.id || person.guardians.includes(by);
  const reach = reachOf(inviter, { person: person.id, ai: '', count: false });
  const { reached } = await rules.checkReach({ reaches: [reach] }, { caller: anyone });
  const how = reached[0]?.how;
  return how === 'inbox' || how === 'requests' || how === 'front_door';
}
