import { isMinor, responsiblePerson } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
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
  ownerOf: (email: string) => Promise<PersonFacts | null>,
  check: ContactPolicy['check'],
  { email, from, kind }: MailAttempt,
): Promise<boolean> {
  const person = await ownerOf(email);
  if (person === null) return true;
  const attempt = { ...(await from()), kind };
  if (isMinor(person)) {
    const responsible = responsiblePerson(attempt.sender) ?? '';
    return responsible === person.id || person.guardians.includes(responsible);
  }
  const only = { recipient: person.id, recipientAi: null, wroteBefore: false, count: false };
  const { how } = await check({ ...attempt, ...only });
  return how !== 'declined' && how !== 'turned_away';
}
