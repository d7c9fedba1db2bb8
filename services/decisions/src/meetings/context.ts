import type { Idempotency } from '@hearth/idempotency';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Signing } from '@hearth/receipts';
import type { Host, HostParts } from '@hearth/runtime';
import type { Batches } from './actions/batches.ts';
import type { Book } from './actions/book.ts';
import type { MeetingMachine } from './actions/change-meeting.ts';
import type { OfferMachine } from './actions/change-offer.ts';
import type { MeetingRow } from './db/meetings.ts';

export const peersOf = ({ peer }: Host) => ({
  ais: peer('identity', AisService),
  groups: peer('groups', GroupsService),
  identity: peer('identity', IdentityService),
  messages: peer('messages', MessagesService),
  posts: peer('messages', GroupPostsService),
  records: peer('federation', RecordsService),
  rules: peer('approvals', RequestRulesService),
});

export type Context = HostParts<
  'config' | 'homeNames' | 'limiter' | 'limits' | 'log' | 'people' | 'sealer'
> & {
  peers: ReturnType<typeof peersOf>;
  batches: Batches;
  book: Book;
  offers: OfferMachine;
  meetings: MeetingMachine;
  signing: Signing<MeetingRow>;
  /** uuid of the offer or meeting that each request made. */
  idempotency: Idempotency<{ id: string }>;
};
