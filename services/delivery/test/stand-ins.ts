import type { DescService } from '@bufbuild/protobuf';
import { systemClock } from '@hearth/clock';
import { internal } from '@hearth/errors';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Platform } from '@hearth/proto/identity/v1/resources';
import type { Scope } from '@hearth/proto/options';
import type { Handlers } from '@hearth/rpc';
import type { ServiceDefinition } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';

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
  aiShare?: boolean;
}

export interface KnownGroup {
  id: string;
  handle: string;
  name: string;
  app: string;
  groupAi?: string;
  createdBy?: string;
}

export interface KnownAi {
  id: string;
  address: string;
  name?: string;
  owner?: string;
  platform?: Platform;
  permissions?: Scope[];
  revoked?: boolean;
}

export interface KnownApp {
  id: string;
  name: string;
  contactEmail: string;
  webhookUrl: string;
  eventTypes: string[];
  /** As the app was shown them, the present one first. */
  secrets: string[];
}

/** What identity and groups know in a test; a test changes it as it goes. */
export interface World {
  people: KnownPerson[];
  ais: KnownAi[];
  groups: KnownGroup[];
  /** Who is in which group: uuid of a person -> uuids of groups. */
  members: Map<string, string[]>;
  /** Those that there are; an event can name others, which are gone. */
  apps?: KnownApp[];
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
    findMembership: async ({ group, person }) => {
      const found = world.groups.find(({ id }) => printId('grp', id) === group);
      const isIn = found !== undefined && world.members.get(person)?.includes(found.id) === true;
      return isIn ? { group: found } : {};
    },
    listGroupIds: async ({ person }) => ({ groups: (world.members.get(person) ?? []).map((id) => ({ id })) }),
    findGroups: async ({ ids: asked, handles, withApps }) => ({
      results: [
        ...asked.map((id) => world.groups.find((each) => each.id === id)),
        ...handles.map((handle) => world.groups.find((each) => each.handle === handle)),
      ].map((group) =>
        group === undefined ? {} : { group: { ...group, apps: withApps ? appsIn(world, group) : [] } },
      ),
    }),
  });
  return [
    {
      name: 'identity',
      async start(host) {
        host.serve(PeopleService, people);
        host.serve(AisService, ais);
        host.serve(IdentityService, only<typeof IdentityService>({ noteWakes: async () => ({}) }));
        host.serve(AppsService, appsOf(world, host.sealer));
      },
    },
    { name: 'groups', start: async (host) => host.serve(GroupsService, groups) },
  ];
}

function appsOf(world: World, sealer: Pick<Sealer, 'seal'>) {
  return only<typeof AppsService>({
    findApps: async ({ ids: asked }) => ({
      results: asked.map((id) => {
        const app = world.apps?.find((each) => each.id === id);
        if (app === undefined) return {};
        const { secrets, ...facts } = app;
        const seal = (secret: string) => sealer.seal(Buffer.from(secret), `app.signing_secret:${id}`);
        return { facts: { ...facts, signingSecrets: secrets.map(seal) } };
      }),
    }),
  });
}

/** uuids of the app that made a group, and of those that hold its members. */
function appsIn({ members, people }: World, { id, app }: KnownGroup): string[] {
  const inside = people.filter((person) => members.get(person.id)?.includes(id));
  return [...new Set([app, ...inside.map((person) => person.app)])].filter((each) => each !== '');
}

export function only<S extends DescService>(handlers: Partial<Handlers<S>>): Handlers<S> {
  return new Proxy(handlers as Handlers<S>, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (async () => {
        throw internal(`delivery calls ${String(name)}`);
      }),
  });
}
