import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Limits } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Idempotency } from '@hearth/requests';
import type { Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';

/** What the rpcs of group posts work with. */
export interface GroupPostsContext {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  clock: Clock;
  ids: Ids;
  /** Ids that tell their day alone, for what somebody under 18 posts. */
  dayIds: Ids;
  database: Database;
  outbox: Outbox;
  limits: Limits;
  people: People;
  sealer: Pick<Sealer, 'derive'>;
  /** post_group by its request_id: the post that it made. */
  requests: Idempotency<{ post: string }>;
  groups: Pick<Client<typeof GroupsService>, 'findMembership' | 'findGroups'>;
}
