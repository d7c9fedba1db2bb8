import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { NamedKind } from './db/shown-sends.ts';

/** The rpcs of the operator work with these. */
export type Context = HostParts<'people'> & {
  outbound: Pick<Outbound, 'poke'>;
  /** Every kind that was added. */
  kinds: readonly NamedKind[];
  apps: Pick<Client<typeof AppsService>, 'findApps'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  /** Nothing of an app before this moment is kept, whether a job has removed it yet or not. */
  oldest(): Date;
};
