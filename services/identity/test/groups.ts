import { internal } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import type { Handlers } from '@hearth/rpc';
import type { ServiceDefinition } from '@hearth/runtime';

/** A group as a test settles it; uuids. */
export interface FakeGroup {
  id: string;
  handle: string;
  name: string;
  members: Set<string>;
  groupAi?: string;
  app?: string;
  archived?: boolean;
}

/** The groups service, as far as identity asks it. */
export function standInGroups(neighbours: {
  groups: FakeGroup[];
  groupQuestions: number;
}): ServiceDefinition {
  const named = (reference: string) =>
    neighbours.groups.find(
      ({ id, handle }) => reference === id || reference === `&${handle}` || parseId('grp', reference) === id,
    );
  const factsOf = ({ id, handle, name, groupAi = '', app = '', archived = false }: FakeGroup) => ({
    id,
    handle,
    name,
    groupAi,
    app,
    archived,
  });
  const known: Partial<Handlers<typeof GroupsService>> = {
    shareGroup: async ({ pairs }) => ({
      share: pairs.map(({ one, other }) =>
        neighbours.groups.some(({ members }) => members.has(one) && members.has(other)),
      ),
    }),
    findMembership: async ({ group, person }) => {
      const found = named(group);
      return found?.members.has(person) ? { group: factsOf(found), role: Role.MEMBER } : {};
    },
    findGroups: async ({ ids, handles }) => ({
      results: [...ids, ...handles.map((handle) => `&${handle}`)].map((reference) => {
        const found = named(reference);
        return found === undefined ? {} : { group: factsOf(found) };
      }),
    }),
    listGroupIds: async ({ person }) => ({
      groups: neighbours.groups
        .filter(({ members }) => members.has(person))
        .map((group) => ({ ...factsOf(group), address: `&${group.handle}`, role: Role.MEMBER })),
    }),
  };
  const handlers = new Proxy(known as Handlers<typeof GroupsService>, {
    get: (_, name) => {
      const answer = known[name as keyof typeof known];
      if (answer === undefined) {
        return async () => {
          throw internal(`identity calls groups.${String(name)}`);
        };
      }
      return (...call: never[]) => {
        neighbours.groupQuestions += 1;
        return (answer as (...args: never[]) => unknown)(...call);
      };
    },
  });
  return {
    name: 'groups',
    async start(host) {
      host.serve(GroupsService, handlers);
    },
  };
}
