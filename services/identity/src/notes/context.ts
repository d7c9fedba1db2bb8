import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Limits } from '@hearth/limits';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Idempotency } from '@hearth/requests';
import type { Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';

/** What the rpcs of notes work with. */
export interface NotesContext {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  clock: Clock;
  ids: Ids;
  database: Database;
  limits: Limits;
  sealer: Pick<Sealer, 'derive'>;
  /** put_note by its request_id: the note that it made. */
  requests: Idempotency<{ note: string }>;
  groups: Pick<Client<typeof GroupsService>, 'listGroupIds' | 'findMembership'>;
}
