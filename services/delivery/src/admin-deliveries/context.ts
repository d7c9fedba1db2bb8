import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../outbound/module.ts';
import type { ResumeSubscription } from '../subscriptions/module.ts';

export type Context = Pick<Host, 'clock' | 'commit' | 'database' | 'ids' | 'limits' | 'people'> & {
  outbound: Pick<Outbound, 'poke'>;
  resumeSubscription: ResumeSubscription;
  apps: Pick<Client<typeof AppsService>, 'findApps'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  /** Nothing of an app before this moment is kept, whether a job has removed it yet or not. */
  oldest(): Date;
};
