import { addressOf, isMinor, shortenName, underAge } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';

/** A person as named in records; a child's name is shortened and the address left out. */
export function namesOf(facts: PersonFacts | undefined): { to: string; name: string } {
  if (facts === undefined) return { to: '@deleted', name: '' };
  if (isMinor(facts)) return { to: underAge, name: shortenName(facts.name) };
  return { to: addressOf(facts), name: facts.name };
}
