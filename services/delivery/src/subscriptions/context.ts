import type { Database } from '@hearth/db';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { Ids } from '@hearth/ids';
import type { Limits } from '@hearth/limits';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { Outbound } from '../outbound/actions/engine.ts';
import type { Streams } from '../streams/actions/streams.ts';
import type { TellReach } from './actions/note-wakes.ts';
import type { SigningContext } from './actions/post-signed.ts';
import type { NeededStreams } from './domain/needed-streams.ts';

/** What the handlers of subscriptions work with. */
export interface SubscriptionsContext extends SigningContext {
  database: Database;
  http: Pick<GuardedHttp, 'request' | 'check'>;
  ids: Ids;
  limits: Limits;
  sealer: Sealer;
  outbound: Pick<Outbound, 'kick'>;
  streams: NeededStreams & Pick<Streams, 'prepare'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  tellReach: TellReach;
  groups: Pick<Client<typeof GroupsService>, 'findMembership'>;
}
