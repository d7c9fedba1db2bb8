import { forbidden, notFound, personNeeded } from '@hearth/errors';
import { actingPerson, type Caller, callerKinds } from '@hearth/rpc';
import type { Member } from '../domain/member.ts';
import type { Deps } from './deps.ts';

/**
 * The members for whom the caller speaks: their person, and the children whom that person guards; with `reference`
 * that one alone. An AI speaks for no child whose guardian does not let AIs act.
 *
 * @throws forbidden for a caller of whom nothing is asked, and (guardian_needed) for a person whose guardian answers; not_found for a reference to another person
 */
export async function speakingFor<One extends Member>(
  { people }: Pick<Deps, 'people'>,
  participants: readonly One[],
  caller: Caller,
  reference?: string,
): Promise<One[]> {
  const self = actingPerson(caller);
  const byAi = caller.kind === callerKinds.AI;
  const theirs = participants.filter(({ person, guardians, aiShare }) =>
    guardians.length === 0 ? person === self : guardians.includes(self) && (aiShare || !byAi),
  );
  const guarded = await people.find(theirs.flatMap(({ person }) => (person === self ? [] : [person])));
  // A former guardian speaks for the child no more, also in the moment before the decision knows.
  const now = theirs.filter(
    ({ person }) => person === self || (guarded.get(person)?.guardians.includes(self) ?? false),
  );
  if (reference !== undefined) return await onlyOne({ people }, now, caller, reference);
  if (now.length > 0) return now;
  if (participants.some(({ person, guardians }) => person === self && guardians.length > 0))
    throw forbidden('your guardian answers for you here', { code: 'guardian_needed' });
  throw forbidden('this is not asked of you or your person');
}

async function onlyOne<One extends Member>(
  { people }: Pick<Deps, 'people'>,
  participants: readonly One[],
  caller: Caller,
  reference: string,
): Promise<One[]> {
  const person = await people.resolve(reference, caller);
  const one = participants.find((each) => each.person === person?.id);
  if (one === undefined) throw notFound();
  return [one];
}

/**
 * Those of them for whom the caller's own word counts as a tap: an AI taps for no child, and an app not where the home takes
 * taps for children on its own pages alone.
 *
 * @param link the page of the thing
 * @throws forbidden (needs_person) where no one is left
 */
export function tapping<One extends Member>(
  theirs: readonly One[],
  caller: Caller,
  { childTaps, link }: { childTaps: 'any' | 'home'; link: string },
): One[] {
  const here = caller.kind !== callerKinds.AI && (childTaps === 'any' || caller.app === '');
  const counted = here ? [...theirs] : theirs.filter(({ guardians }) => guardians.length === 0);
  if (counted.length > 0) return counted;
  throw personNeeded(`for a child their guardian's own tap counts alone; open ${link}`);
}
