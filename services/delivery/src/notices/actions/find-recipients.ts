import { isMinor, type People, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { derivedId } from '../../shared/domain/derived-id.ts';
import type { Notice, NoticeDraft } from '../domain/notice.ts';

/** A notice and the person whom it goes to, as they are now. */
export interface Addressed {
  notice: Notice;
  facts: PersonFacts;
}

/** Whom drafts go to: in the place of somebody under 18 their guardians; nobody for who is gone or did it themselves. */
export async function whomToTell(
  people: Pick<People, 'find'>,
  drafts: readonly NoticeDraft[],
): Promise<Addressed[]> {
  const named = await people.find(drafts.map(({ person }) => person));
  const guardians = await people.find(
    [...named.values()].flatMap((facts) => (isMinor(facts) ? facts.guardians : [])),
  );
  return drafts.flatMap((draft) => {
    const facts = named.get(draft.person);
    if (facts === undefined) return [];
    return addressedTo(draft, facts, guardians).filter(({ notice: { person } }) => person !== draft.by);
  });
}

function addressedTo(
  draft: NoticeDraft,
  facts: PersonFacts,
  guardians: ReadonlyMap<string, PersonFacts>,
): Addressed[] {
  const { by, instead, ...words } = draft;
  const others = isMinor(facts) ? facts.guardians.flatMap((id) => guardians.get(id) ?? []) : [];
  // Somebody old enough to have an account without a guardian is told themselves.
  if (others.length === 0) return [{ notice: { ...words, id: draft.event }, facts }];
  return others.map((guardian, index) => {
    const id = index === 0 ? draft.event : derivedId(draft.event, guardian.id);
    const told = { ...words, ...instead?.(shortenName(facts.name)), person: guardian.id, about: facts.id };
    return { notice: { ...told, id }, facts: guardian };
  });
}
