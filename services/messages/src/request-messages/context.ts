import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Client, Handlers } from '@hearth/rpc';

/** What the rpcs for the requests box work with. */
export interface RequestMessagesContext {
  clock: Clock;
  ids: Ids;
  database: Database;
  outbox: Outbox;
  people: Pick<People, 'findOne'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
}

export type RequestMessagesHandlers = Handlers<typeof RequestMessagesService>;
