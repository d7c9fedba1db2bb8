import type { Idempotency } from '@hearth/idempotency';
import type { Ids } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { PostCopies } from './actions/home-posts.ts';

export type Context = HostParts<'homeNames' | 'people' | 'sealer'> & {
  /** Ids that tell their day alone, for the posts of people under 18. */
  dayIds: Ids;
  /** The post that a request_id made. */
  idempotency: Idempotency<{ post: string }>;
  /** Posts of groups of other homes. */
  copies: PostCopies;
  groups: Pick<Client<typeof GroupsService>, 'findMembership' | 'findGroups' | 'listRoster'>;
};
