import type { Idempotency } from '@hearth/idempotency';
import type { Ids } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { PostCopies } from './actions/home-posts.ts';

export type Context = HostParts<'homeNames' | 'people' | 'sealer'> & {
  /** Ids that reveal only their day, for posts by people under 18. */
  dayIds: Ids;
  /** Requests by request_id, with the post created. */
  idempotency: Idempotency<{ post: string }>;
  /** Posts in remote groups. */
  copies: PostCopies;
  groups: Pick<Client<typeof GroupsService>, 'findMembership' | 'findGroups' | 'listRoster'>;
};
