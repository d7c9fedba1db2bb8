import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type GroupFacts, GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import type { Host } from '@hearth/runtime';
import { type Fake, fake } from '../fake-peers.ts';
import type { FakeGroup, Registry } from './world.ts';

export function groupsFakes({ people, groupsById }: Registry, started: (host: Host) => void): Fake[] {
  const all = () => [...groupsById.values()];
  const find = (reference: string) =>
    all().find(({ facts: { id, handle } }) => [id, printId('grp', id), `&${handle}`].includes(reference));

  /** uuids of the app that made the group, and of its members' apps. */
  function appsOf({ facts, members }: FakeGroup): string[] {
    const holding = [...members].map((id) => people.get(id)?.app ?? '');
    return [...new Set([facts.app, ...holding])].filter((app) => app !== '');
  }

  const roleIn = ({ organizers }: FakeGroup, person: string) =>
    organizers.has(person) ? Role.ORGANIZER : Role.MEMBER;

  const rosterOf = (group: FakeGroup, limit: number) =>
    [...group.members].slice(0, limit).map((person) => ({ person, role: roleIn(group, person) }));

  function result(group: FakeGroup | undefined, withApps: boolean): { group?: GroupFacts } {
    if (group === undefined) return {};
    return { group: withApps ? { ...group.facts, apps: appsOf(group) } : group.facts };
  }

  return [
    fake(GroupsService, (host) => {
      started(host);
      return {
        async findMembership({ group, person, roster }) {
          const found = find(group);
          if (!found?.members.has(person)) return {};
          return { group: found.facts, role: roleIn(found, person), members: rosterOf(found, roster) };
        },
        async listRoster({ group, limit }) {
          const found = groupsById.get(group);
          const expected = found?.members.size === 0;
          return { members: found === undefined ? [] : rosterOf(found, limit), expected };
        },
        findGroups: async ({ ids, handles, withApps }) => ({
          results: [...ids, ...handles.map((handle) => `&${handle}`)].map((reference) =>
            result(find(reference), withApps),
          ),
        }),
        listGroupIds: async ({ person }) => ({
          groups: all()
            .filter(({ members }) => members.has(person))
            .map(({ facts: { id, handle, name, archived } }) => ({
              id,
              address: `&${handle}`,
              name,
              archived,
              role: Role.MEMBER,
              joinedAt: timestampFromMs(host.clock.now()),
            })),
        }),
        async shareGroup({ pairs }) {
          const shared = pairs.map(({ one, other }) => ({
            groups: all()
              .filter(({ members }) => members.has(one) && members.has(other))
              .map(({ facts }) => facts.id),
          }));
          return { share: shared.map(({ groups }) => groups.length > 0), shared };
        },
      };
    }),
  ];
}
