import type { DescService } from '@bufbuild/protobuf';
import { systemClock } from '@hearth/clock';
import { internal } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Handlers } from '@hearth/rpc';
import type { ServiceDefinition } from '@hearth/runtime';

export const ids = createIds(systemClock, systemRandom);

export interface KnownPerson {
  id: string;
  handle: string;
  name: string;
  ageBand: AgeBand;
  guardians: string[];
  app: string;
  /** Verified. */
  email: string;
}

export interface KnownGroup {
  id: string;
  handle: string;
  name: string;
  app: string;
}

/** What identity and groups know in a test; a test changes it as it goes. */
export interface World {
  people: KnownPerson[];
  ais: { id: string; address: string }[];
  groups: KnownGroup[];
  /** Who is in which group: uuid of a person -> uuids of groups. */
  members: Map<string, string[]>;
}

export function newPerson(name: string, rest: Partial<KnownPerson> = {}): KnownPerson {
  const handle = name.split(' ')[0]!.toLowerCase();
  return { id: ids.uuid(), handle, name, ageBand: AgeBand.ADULT, guardians: [], app: '', email: '', ...rest };
}

/** Identity and groups as far as delivery asks them. */
export function standIns(world: World): ServiceDefinition[] {
  const people = only<typeof PeopleService>({
    async findPeople({ ids: asked, handles }) {
      const byId = asked.map((id) => world.people.find((person) => person.id === id));
      const byHandle = handles.map((handle) => world.people.find((person) => person.handle === handle));
      return { results: [...byId, ...byHandle].map((facts) => (facts === undefined ? {} : { facts })) };
    },
  });
  const ais = only<typeof AisService>({
    findAis: async ({ ids: asked }) => ({
      results: asked.map((id) => {
        const facts = world.ais.find((ai) => ai.id === id);
        return facts === undefined ? {} : { facts };
      }),
    }),
  });
  const groups = only<typeof GroupsService>({
    listGroupIds: async ({ person }) => ({ groups: (world.members.get(person) ?? []).map((id) => ({ id })) }),
    findGroups: async ({ handles }) => ({
      results: handles.map((handle) => {
        const group = world.groups.find((each) => each.handle === handle);
        return group === undefined ? {} : { group };
      }),
    }),
  });
  return [
    {
      name: 'identity',
      async start(host) {
        host.serve(PeopleService, people);
        host.serve(AisService, ais);
      },
    },
    { name: 'groups', start: async (host) => host.serve(GroupsService, groups) },
  ];
}

function only<S extends DescService>(handlers: Partial<Handlers<S>>): Handlers<S> {
  return new Proxy(handlers as Handlers<S>, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (async () => {
        throw internal(`delivery calls ${String(name)}`);
      }),
  });
}
