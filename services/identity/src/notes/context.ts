import type { Idempotency } from '@hearth/idempotency';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'clock' | 'database' | 'homeNames' | 'ids' | 'limits' | 'sealer'> & {
  /** put_note by request_id, with the note created. */
  idempotency: Idempotency<{ note: string }>;
  groups: Pick<Client<typeof GroupsService>, 'listGroupIds' | 'findMembership'>;
};
