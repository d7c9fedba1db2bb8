import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids, Random } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Idempotency } from '@hearth/requests';
import type { Client } from '@hearth/rpc';
import type { Logger } from '@hearth/telemetry';

/** What the rpcs of this service work with. */
export interface Context {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  /** Where links for people lead. */
  siteUrl: string;
  clock: Clock;
  ids: Ids;
  random: Random;
  log: Pick<Logger, 'info' | 'warn'>;
  database: Database;
  outbox: Outbox;
  limits: Limits;
  limiter: Limiter;
  people: People;
  identity: {
    people: Pick<Client<typeof PeopleService>, 'findPeople' | 'createGuest'>;
    ais: Pick<Client<typeof AisService>, 'ensureGroupAi' | 'findAis'>;
  };
  /** Creates by their request_id: the uuid of what each made. */
  requests: Idempotency<{ id: string }>;
}
