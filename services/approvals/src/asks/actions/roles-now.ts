import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

type Deps = Pick<Context, 'knownAis' | 'people'>;

/** uuids of the people who answer for a person. */
export const answeringFor = ({ id, ...facts }: PersonFacts): readonly string[] =>
  isMinor(facts) ? facts.guardians : [id];

/**
 * The ask without what is over of it, also in the moment before it has moved on: a former guardian has no place of it any more, and a
 * former owner of an AI neither asked it nor is asked by it, nor does the AI stand at their front door.
 */
export async function asOfNow(
  context: Deps,
  { approval, recipients }: WholeApproval,
): Promise<WholeApproval> {
  const [places, owners] = await Promise.all([
    withoutFormer(context, recipients),
    ownersOf(context, { approval, recipients }),
  ]);
  const isFormer = (ai: string | null, person: string | null) => {
    const owner = ai === null || person === null ? undefined : owners.get(ai);
    return owner !== undefined && owner !== person;
  };
  const asked = places.map((place) => {
    if (place.kind === 'ai' && isFormer(place.recipient, place.person)) return { ...place, person: null };
    return isFormer(doorOf(place), place.person) ? { ...place, owner: null } : place;
  });
  if (approval.asker_kind !== 'ai' || !isFormer(approval.asker, approval.asker_person))
    return { approval, recipients: asked };
  return { approval: { ...approval, asker_person: null }, recipients: asked };
}

/** uuid of the AI at whose front door a place stands. */
const doorOf = ({ box, owner, person }: RecipientRow) =>
  box === 'front_door' && owner !== person ? owner : null;

/** AI -> uuid of its owner; empty of one without. AIs of other homes, and gone ones, are left out. */
async function ownersOf(
  { knownAis }: Pick<Context, 'knownAis'>,
  { approval, recipients }: WholeApproval,
): Promise<Map<string, string>> {
  const { asker, asker_kind, asker_person, home } = approval;
  const asking = asker_kind === 'ai' && home === null && asker_person !== null ? asker : null;
  const asked = recipients.map((recipient) =>
    recipient.kind === 'ai' && recipient.person !== null ? recipient.recipient : null,
  );
  const ids = [asking, ...asked, ...recipients.map(doorOf)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  return new Map([...(await knownAis(ids))].map(([id, { owner }]) => [id, owner]));
}

/** The places without what former guardians had of them: at 18 that is over before the place has moved on. */
async function withoutFormer(
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
