import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { type GroupFacts, GroupsService } from '@hearth/proto/groups/v1/groups';
import { type AiFacts, AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService, type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { type Fake, fake, ids } from '@hearth/testkit';

export { ids };
export type KnownPerson = PersonFacts;

type Plain<Facts> = Omit<Partial<Facts>, '$typeName' | '$unknown'>;
export type KnownGroup = Plain<GroupFacts> & Pick<GroupFacts, 'id' | 'handle' | 'name' | 'app'>;
export type KnownAi = Plain<AiFacts> & Pick<AiFacts, 'id' | 'address'>;

export interface KnownApp {
  id: string;
  name: string;
  contactEmail: string;
  webhookUrl: string;
  eventTypes: string[];
  /** As shown to the app, the current secret first. */
  secrets: string[];
}

/** The people and things that identity and groups know in a test, which may change them at any time. */
export interface World {
  people: KnownPerson[];
  ais: KnownAi[];
  groups: KnownGroup[];
  /** uuid of a person -> uuids of their groups. */
  members: Map<string, string[]>;
  /** Existing apps; events may name others, which were deleted. */
  apps?: KnownApp[];
}

export function newPerson(name: string, rest: MessageInitShape<typeof PersonFactsSchema> = {}): KnownPerson {
  const handle = name.split(' ')[0]!.toLowerCase();
  return create(PersonFactsSchema, { id: ids.uuid(), handle, name, ageBand: AgeBand.ADULT, ...rest });
}

const found = <Facts>(facts: Facts | undefined) => (facts === undefined ? {} : { facts });

/** Fakes of the identity and groups rpcs that delivery calls. */
export function standIns(world: World): Fake[] {
  const personBy = (field: 'id' | 'handle') => (value: string) =>
    found(world.people.find((person) => person[field] === value));
  const groupBy = (field: 'id' | 'handle', withApps: boolean) => (value: string) => {
    const group = world.groups.find((each) => each[field] === value);
    return group === undefined ? {} : { group: { ...group, apps: withApps ? appsIn(world, group) : [] } };
  };
  return [
    fake(PeopleService, {
      findPeople: async ({ ids, handles }) => ({
        results: [...ids.map(personBy('id')), ...handles.map(personBy('handle'))],
      }),
    }),
    fake(AisService, {
      findAis: async ({ ids }) => ({ results: ids.map((id) => found(world.ais.find((ai) => ai.id === id))) }),
    }),
    fake(IdentityService, { noteWakes: async () => ({}) }),
    fake(AppsService, ({ sealer }) => ({
      findApps: async ({ ids }) => ({
        results: ids.map((id) => {
          const app = world.apps?.find((each) => each.id === id);
          if (app === undefined) return {};
          const { secrets, ...facts } = app;
          const seal = (secret: string) => sealer.seal(Buffer.from(secret), `app.signing_secret:${id}`);
          return { facts: { ...facts, signingSecrets: secrets.map(seal) } };
        }),
      }),
    })),
    fake(GroupsService, {
      findMembership: async ({ group, person }) => {
        const one = world.groups.find(({ id }) => printId('grp', id) === group);
        return one !== undefined && world.members.get(person)?.includes(one.id) ? { group: one } : {};
      },
      listGroupIds: async ({ person }) => ({
        groups: (world.members.get(person) ?? []).map((id) => ({ id })),
      }),
      findGroups: async ({ ids, handles, withApps }) => ({
        results: [...ids.map(groupBy('id', withApps)), ...handles.map(groupBy('handle', withApps))],
      }),
    }),
  ];
}

/** Returns the app that created a group, and the apps that hold its members. */
function appsIn({ members, people }: World, { id, app }: KnownGroup): string[] {
  const inside = people.filter((person) => members.get(person.id)?.includes(id));
  return [...new Set([app, ...inside.map((person) => person.app)])].filter((each) => each !== '');
}
