import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { NamedKind } from './db/shown-sends.ts';

/** Dependencies of the operator's rpcs. */
export type Context = HostParts<'people'> & {
  outbound: Pick<Outbound, 'poke'>;
  /** All registered kinds. */
  kinds: readonly NamedKind[];
  apps: Pick<Client<typeof AppsService>, 'findApps'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  /** Older app events count as deleted, even before the purge job has removed them. */
  oldest(): Date;
};
