import { isMinor, type People, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { derivedId } from '../../shared/domain/derived-id.ts';
import type { Addressed, DraftedNotice } from '../domain/notice.ts';

/** The recipients of drafts: guardians in the place of a person under 18; none who is gone or did it themselves. */
export async function findRecipients(
  people: Pick<People, 'find'>,
  drafts: readonly DraftedNotice[],
): Promise<Addressed[]> {
  const named = await people.find(drafts.map(({ person }) => person));
  const guardians = await people.find(
    [...named.values()].flatMap((facts) => (isMinor(facts) ? facts.guardians : [])),
  );
  return drafts.flatMap((draft) => {
    const facts = named.get(draft.person);
    if (facts === undefined) return [];
    return addressedTo(draft, facts, guardians).filter(({ notice: { person } }) => person !== draft.except);
  });
}

function addressedTo(
  draft: DraftedNotice,
  facts: PersonFacts,
  guardians: ReadonlyMap<string, PersonFacts>,
): Addressed[] {
  const { by, except, instead, several = false, ...copy } = draft;
  const others = isMinor(facts) ? facts.guardians.flatMap((id) => guardians.get(id) ?? []) : [];
  // A person old enough to have an account without a guardian is notified themselves.
  if (others.length === 0) {
    const id = several ? derivedId(draft.event, facts.id) : draft.event;
    return [{ notice: { ...copy, id }, facts }];
  }
  return others.map((guardian, index) => {
    const id = index === 0 && !several ? draft.event : derivedId(draft.event, guardian.id);
    const own = { ...instead?.(shortenName(facts.name)), person: guardian.id, about: facts.id };
    return { notice: { ...copy, ...own, id }, facts: guardian };
  });
}
