import type { HomeNames } from '@hearth/addresses';
import type { Database } from '@hearth/db';
import type { Limits } from '@hearth/limits';
import type { People } from '@hearth/people';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';

/** What the handlers of activity work with. */
export interface ActivityContext {
  database: Database;
  limits: Limits;
  sealer: Sealer;
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  people: People;
  groups: Pick<Client<typeof GroupsService>, 'listGroupIds' | 'findGroups'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
}
