import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';

/** uuids of the people who answer for a person. */
export const answeringFor = ({ id, ...facts }: PersonFacts): readonly string[] =>
  isMinor(facts) ? facts.guardians : [id];

/** The places without what former guardians had of them: at 18 that is over before the place has moved on. */
export async function withoutFormer(
  { people }: Pick<Context, 'people'>,
  places: readonly RecipientRow[],
): Promise<RecipientRow[]> {
  const guarded = places.flatMap(({ decision, guards }) => (decision === 'waiting' && guards) || []);
  const facts = guarded.length === 0 ? new Map<string, PersonFacts>() : await people.find(guarded);
  return places.flatMap((place) => {
    const { decision, guards, person, recipient } = place;
    const child = decision === 'waiting' ? facts.get(guards ?? '') : undefined;
    if (child === undefined || person === null || answeringFor(child).includes(person)) return place;
    return recipient === person ? [] : { ...place, person: null, owner: null };
  });
}
