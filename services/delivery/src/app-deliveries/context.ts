import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { Apps } from './actions/apps.ts';

export type Context = HostParts<'limiter' | 'log' | 'people' | 'random' | 'sealer'> & {
  siteUrl: string;
  outbound: Outbound;
  http: Outbound['http'];
  groups: Pick<Client<typeof GroupsService>, 'findGroups'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  apps: Apps;
  /** Older events count as deleted, even before the purge job has removed them. */
  oldest(): Date;
};
