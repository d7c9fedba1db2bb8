import type { Awaited } from './awaited.ts';
import type { Member } from './member.ts';

/** A person to notify about a decision or plan. */
export interface Need {
  /** uuid */
  person: string;
  /** uuid of the child the person is needed for; empty if also needed for themselves. */
  about: string;
  byAi: boolean;
}

/**
 * The local people to notify that something waits, once each: for themselves, else for a child.
 *
 * @param represented uuids of people who have an AI that answers
 */
export function needsOf(
  { hidden_from }: { hidden_from: string | null },
  told: readonly Awaited<Member>[],
  represented?: ReadonlySet<string>,
): Need[] {
  const needs = new Map<string, Need>();
  for (const { one, by } of told) {
    for (const person of by) {
      if (one.home !== null || person === hidden_from) continue;
      const about = person === one.person ? '' : one.person;
      if (about === '' || !needs.has(person))
        needs.set(person, { person, about, byAi: represented?.has(person) ?? false });
    }
  }
  return [...needs.values()];
}
