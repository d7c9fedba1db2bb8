import { isMinor, responsiblePerson } from '@hearth/people';
import { anonymous } from '@hearth/rpc';
import type { PolicyContext } from '../context.ts';
import type { ContactAttempt, ContactPolicy } from './contact-policy.ts';

/** A sender who wants to write to an e-mail address. */
export interface MailAttempt extends Pick<ContactAttempt, 'kind'> {
  /** Asked for where the address is that of a person here. */
  from(): Promise<Pick<ContactAttempt, 'sender' | 'checked'>>;
  email: string;
}

/**
 * The address with which a person signs in here leads around neither their rules nor their blocks, and to a person under 18
 * for themselves and their guardians alone.
 */
export async function mayMail(
  { directory }: Pick<PolicyContext, 'directory'>,
  check: ContactPolicy['check'],
  { email, from, kind }: MailAttempt,
): Promise<boolean> {
  const { results } = await directory.findPeople({ emails: [email] }, { caller: anonymous });
  const person = results[0]?.facts;
  if (person === undefined) return true;
  const attempt = { ...(await from()), kind };
  if (isMinor(person)) {
    const responsible = responsiblePerson(attempt.sender) ?? '';
    return responsible === person.id || person.guardians.includes(responsible);
  }
  const only = { recipient: person.id, recipientAi: null, wroteBefore: false, count: false };
  const { how } = await check({ ...attempt, ...only });
  return how !== 'declined' && how !== 'turned_away';
}
