import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Caller, Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { Reach } from './actions/contact-policy.ts';

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
  sealer: Pick<Sealer, 'derive'>;
  asks: Asks;
}

/** What happens to the approval that a proposal of rules is. */
export interface Asks {
  /** Answers it for whoever calls. @throws bad_request (already_settled), forbidden (needs_person) */
  answer(id: string, answer: { decision: 'approved' | 'declined' }, caller: Caller): Promise<void>;
  /** Settles it where it ran out of time. */
  expire(id: string): Promise<void>;
}
