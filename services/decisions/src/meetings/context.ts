import type { ReceivedActs } from '@hearth/home-acts';
import type { Idempotency } from '@hearth/idempotency';
import type { OtherHomes } from '@hearth/people';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Signing } from '@hearth/receipts';
import type { Host, HostParts } from '@hearth/runtime';
import type { Batches } from './actions/batches.ts';
import type { Book } from './actions/book.ts';
import type { MeetingMachine } from './actions/change-meeting.ts';
import type { OfferMachine } from './actions/change-offer.ts';
import type { MeetingCopies } from './actions/home-meetings.ts';
import type { OfferCopies } from './actions/home-offers.ts';
import type { MeetingRow } from './db/meetings.ts';

export const peersOf = ({ peer }: Host) => ({
  ais: peer('identity', AisService),
  groups: peer('groups', GroupsService),
  homes: peer('federation', HomesService),
  identity: peer('identity', IdentityService),
  parties: peer('identity', PartiesService),
  messages: peer('messages', MessagesService),
  posts: peer('messages', GroupPostsService),
  records: peer('federation', RecordsService),
  rules: peer('approvals', RequestRulesService),
});

export type Context = HostParts<
  'config' | 'homeNames' | 'languages' | 'limiter' | 'limits' | 'log' | 'people' | 'sealer'
> & {
  peers: ReturnType<typeof peersOf>;
  batches: Batches;
  otherHomes: OtherHomes;
  /** Copies of remote offers and meetings. */
  copies: { offers: OfferCopies; meetings: MeetingCopies };
  /** Acts of remote parties. */
  acts: ReceivedActs;
  book: Book;
  offers: OfferMachine;
  meetings: MeetingMachine;
  signing: Signing<MeetingRow>;
  /** uuid of the offer or meeting that each request created. */
  idempotency: Idempotency<{ id: string }>;
};
