import type { Tx } from '@hearth/db';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Client } from '@hearth/rpc';
import type { Host, HostParts } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';

/** The engine works with these. */
export type Deps = Pick<Host, 'bus' | 'clock' | 'database' | 'ids' | 'log'>;

/** The rpcs of the operator work with these. */
export type Context = HostParts<'people'> & {
  outbound: Pick<Outbound, 'poke'>;
  /** False for a subscription (uuid) that is not suspended; `eventId` is for the message that tells of the gap. */
  resumeSubscription(tx: Tx, id: string, how: { now: Date; eventId: string }): Promise<boolean>;
  apps: Pick<Client<typeof AppsService>, 'findApps'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  /** Nothing of an app before this moment is kept, whether a job has removed it yet or not. */
  oldest(): Date;
};
