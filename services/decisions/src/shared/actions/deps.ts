import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

/** The parts of a module's context that these actions use. */
export type Deps = Pick<Host, 'clock' | 'homeNames' | 'limits' | 'people'> & {
  peers: {
    groups: Pick<
      Client<typeof GroupsService>,
      'findGroups' | 'findMembership' | 'listGroupIds' | 'listRoster'
    >;
    ais: Pick<Client<typeof AisService>, 'findRepresented'>;
  };
};
