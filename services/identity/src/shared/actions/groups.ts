import type { GroupFacts, GroupsService, PersonGroup } from '@hearth/proto/groups/v1/groups';
import type { Call, Client } from '@hearth/rpc';

/** What is asked of the groups service about the people of this home. */
export interface Groups {
  share(one: string, other: string, call: Call): Promise<boolean>;
  /** The group, when that person is a member of it. `group` is a uuid, grp_ id or &address. */
  membership(group: string, person: string, call: Call): Promise<GroupFacts | null>;
  /** The group with that handle or uuid. */
  find(group: { id: string } | { handle: string }, call: Call): Promise<GroupFacts | null>;
  /** The groups that a person is in and that are not archived. */
  listOf(person: string, call: Call): Promise<PersonGroup[]>;
}

export type GroupsClient = Pick<
  Client<typeof GroupsService>,
  'shareGroup' | 'findMembership' | 'findGroups' | 'listGroupIds'
>;

export function createGroups(client: GroupsClient): Groups {
  return {
    async share(one, other, call) {
      const { share } = await client.shareGroup({ pairs: [{ one, other }] }, { call });
      return share[0] ?? false;
    },
    async membership(group, person, call) {
      const { group: facts } = await client.findMembership({ group, person }, { call });
      return facts ?? null;
    },
    async find(group, call) {
      const wanted = 'id' in group ? { ids: [group.id] } : { handles: [group.handle] };
      const { results } = await client.findGroups(wanted, { call });
      return results[0]?.group ?? null;
    },
    async listOf(person, call) {
      const { groups } = await client.listGroupIds({ person }, { call });
      return groups.filter(({ archived }) => !archived);
    },
  };
}
