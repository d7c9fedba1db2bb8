import { forbidden, notFound, personNeeded } from '@hearth/errors';
import { actingPerson, type Caller, callerKinds } from '@hearth/rpc';
import type { Member } from '../domain/member.ts';
import type { Deps } from './deps.ts';

/**
 * The members the caller speaks for: their person and the children that person guards; with `reference` only
 * that one. An AI doesn't speak for a child whose guardian doesn't let AIs act.
 *
 * @throws forbidden if nothing is asked of the caller, and (guardian_needed) if a guardian answers for them;
 * not_found if `reference` is another person
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
  // A former guardian can't speak for the child, even before this thing's people are refreshed.
  const now = theirs.filter(
    ({ person }) => person === self || (guarded.get(person)?.guardians.includes(self) ?? false),
  );
  if (reference !== undefined) return await onlyOne({ people }, now, caller, reference);
  if (now.length > 0) return now;
  if (participants.some(({ person, guardians }) => person === self && guardians.length > 0))
    throw forbidden('your guardian answers for you here', { code: 'guardian_needed' });
  throw forbidden('this is not asked of you or your person', { rule: 'not_asked' });
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
 * The members whose tap the caller's own answer counts as: never a child's by an AI, nor by an app if the home takes
 * children's taps only on its own pages.
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
