import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Client } from '@hearth/rpc';
import type { Reach } from './reach/reach.ts';

/** What the rpcs of request rules work with. */
export interface RulesContext {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  clock: Clock;
  ids: Ids;
  database: Database;
  outbox: Outbox;
  people: People;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  profiles: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  reach: Reach;
}
