import { isMinor, responsiblePerson } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { ContactAttempt, ContactPolicy } from './contact-policy.ts';

/** A sender's attempt to write to an email address. */
export interface MailAttempt extends Pick<ContactAttempt, 'kind'> {
  /** Called only if the address belongs to a local person. */
  from(): Promise<Pick<ContactAttempt, 'sender' | 'checked'>>;
  email: string;
}

/**
 * Whether the sender may write to the address. The sign-in address of a local person follows that person's
 * rules and blocks; to a person under 18 only they themselves and their guardians may write.
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
