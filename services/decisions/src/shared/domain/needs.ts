import { here, type Member, speakersOf } from './member.ts';

/** A person who is told of a decision or a plan. */
export interface Need {
  /** uuid */
  person: string;
  /** uuid of the child in whose place they are asked; empty where they are asked for themselves too. */
  about: string;
  byAi: boolean;
}

/**
 * Those of this home who speak for these people, each once: for themselves, or in the place of a child.
 *
 * @param represented uuids of people who have an AI that answers
 */
export function needsOf(
  { hidden_from }: { hidden_from: string | null },
  told: readonly Member[],
  represented?: ReadonlySet<string>,
): Need[] {
  const needs = new Map<string, Need>();
  for (const one of here(told)) {
    for (const person of speakersOf(one)) {
      if (person === hidden_from) continue;
      const about = person === one.person ? '' : one.person;
      if (about === '' || !needs.has(person))
        needs.set(person, { person, about, byAi: represented?.has(person) ?? false });
    }
  }
  return [...needs.values()];
}
