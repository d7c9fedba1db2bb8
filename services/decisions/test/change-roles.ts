import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Chance, FakeGroup } from '@hearth/testkit';
import type { startDecisions } from './start-decisions.ts';

/** The people whose roles change. */
export interface Cast {
  group: FakeGroup;
  adults: readonly PersonFacts[];
  child: PersonFacts;
  /** The first guards the child, alone or with one of the others. */
  guardians: readonly PersonFacts[];
}

/**
 * Makes a person a member, an organizer or neither, or changes the child's guardians; announces the change and
 * describes it in words.
 */
export async function changeRoles(
  home: Pick<Awaited<ReturnType<typeof startDecisions>>, 'publish' | 'world'>,
  { next, pick }: Chance,
  { adults, child, group, guardians: [first, ...others] }: Cast,
  model: { peopleChanged(): void },
): Promise<string> {
  const group_ = { id: group.facts.id };
  if (next(4) === 0) {
    const guardians = [first as PersonFacts, pick(others)].filter(() => next(4) > 0);
    home.world.changePerson(child, { guardians: guardians.map((guardian) => guardian.id) });
    model.peopleChanged();
    const value = { person: { id: child.id }, changed: ['guardian'] };
    await home.publish({ case: 'personChanged', value });
    return `guardians are ${guardians.length}`;
  }
  const who = pick(adults);
  const person = { id: who.id };
  const isMember = group.members.has(who.id);
  const isLast = group.organizers.size === 1 && group.organizers.has(who.id);
  if (!isMember) {
    group.members.add(who.id);
    const role = pick(['organizer', 'member']);
    if (role === 'organizer') group.organizers.add(who.id);
    model.peopleChanged();
    await home.publish({ case: 'memberJoined', value: { group: group_, person, role } });
    return `${who.name} joined as ${role}`;
  }
  // An active group always has an organizer.
  if (isLast) return 'nothing';
  if (next(3) === 0) {
    group.members.delete(who.id);
    group.organizers.delete(who.id);
    model.peopleChanged();
    await home.publish({
      case: pick(['memberLeft', 'memberRemoved'] as const),
      value: { group: group_, person },
    });
    return `${who.name} left`;
  }
  const role = group.organizers.has(who.id) ? 'member' : 'organizer';
  if (role === 'organizer') group.organizers.add(who.id);
  else group.organizers.delete(who.id);
  model.peopleChanged();
  await home.publish({ case: 'roleChanged', value: { group: group_, person, role } });
  return `${who.name} is ${role}`;
}
