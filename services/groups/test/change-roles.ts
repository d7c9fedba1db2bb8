import { Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Chance } from '@hearth/testkit';
import type { JoinsModel } from './joins-model.ts';
import { per, type startGroups, uuidOf } from './start-groups.ts';

type Home = Pick<Awaited<ReturnType<typeof startGroups>>, 'by' | 'publish' | 'put' | 'world'>;

/** The people whose roles change. */
export interface Cast {
  group: Parameters<Home['put']>[0];
  adults: readonly PersonFacts[];
  /** The people who may guard the child. */
  parents: readonly PersonFacts[];
  child: PersonFacts;
}

/** Makes a person a member, and announces it. */
export async function addMember(
  home: Home,
  { group }: Cast,
  { roles }: JoinsModel,
  person: PersonFacts,
  role: 'organizer' | 'member',
): Promise<void> {
  await home.put(group, person, role);
  roles.set(person.id, role);
  const value = { group: { id: uuidOf(group.id) }, person: { id: person.id }, role };
  await home.publish({ case: 'memberJoined', value });
}

/** Changes the child's guardians, the AI's owner, or the group's organizers or members, and describes it in words. */
export async function changeRoles(
  home: Home,
  { next, pick, some }: Chance,
  cast: Cast,
  model: JoinsModel,
): Promise<string> {
  const { adults, child, group, parents } = cast;
  const { roles } = model;
  switch (pick(['guardians', 'guardians', 'owner', 'role', 'role', 'role', 'out', 'in'])) {
    case 'guardians': {
      const guardians = some(parents);
      model.guardiansChanged(guardians.map((guardian) => guardian.id));
      home.world.changePerson(child, { guardians: [...model.guardians] });
      const value = { person: { id: child.id }, changed: ['guardian'] };
      await home.publish({ case: 'personChanged', value });
      return `guardians are ${guardians.map((guardian) => guardian.handle)}`;
    }
    case 'owner':
      model.owner = pick(adults);
      return `bot is ${model.owner.handle}'s`;
    case 'in': {
      const who = pick(adults);
      if (model.archived || roles.has(who.id)) return 'nothing';
      await addMember(home, cast, model, who, pick(['organizer', 'member'] as const));
      return `${who.handle} joined as ${roles.get(who.id)}`;
    }
    default: {
      const [who, organizer] = [pick(adults), pick(adults)];
      if (model.archived || !model.leads(organizer.id) || !roles.has(who.id) || who === organizer)
        return 'nothing';
      const { id } = group;
      if (next(3) === 0) {
        await home.by(organizer).removeMember({ id, person: per(who) });
        roles.delete(who.id);
        return `${who.handle} was removed`;
      }
      const role = model.leads(who.id) ? 'member' : 'organizer';
      await home.by(organizer).setRole({
        id,
        person: per(who),
        role: role === 'member' ? Role.MEMBER : Role.ORGANIZER,
      });
      roles.set(who.id, role);
      return `${who.handle} is ${role}`;
    }
  }
}
