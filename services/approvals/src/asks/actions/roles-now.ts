import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

type Deps = Pick<Context, 'knownAis' | 'people'>;

/** uuids of the people who answer for a person: an adult for themselves, guardians for a child. */
export const answeringFor = ({ id, ...facts }: PersonFacts): readonly string[] =>
  isMinor(facts) ? facts.guardians : [id];

/**
 * The ask without roles that have ended, even before its rows have moved on: places of former guardians, a
 * former owner as asker or recipient, and a former owner's AI at their front door.
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

/** uuid of the AI that guards the front door of this place; null for a place elsewhere. */
const doorOf = ({ box, owner, person }: RecipientRow) =>
  box === 'front_door' && owner !== person ? owner : null;

/** AI -> uuid of its owner; empty if it has none. Leaves out deleted AIs and AIs of other homes. */
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

/**
 * The places without former guardians, whose role ends when the child turns 18, even before the place has
 * moved on.
 */
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
