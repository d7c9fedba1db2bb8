import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'database' | 'homeNames' | 'limits' | 'people' | 'sealer'> & {
  groups: Pick<Client<typeof GroupsService>, 'listGroupIds' | 'findGroups'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
};
