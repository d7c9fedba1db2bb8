import type { HomeThings, ReceivedActs } from '@hearth/home-acts';
import type { Idempotency } from '@hearth/idempotency';
import type { ItemNotes } from '@hearth/items';
import type { OtherHomes } from '@hearth/people';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Signing } from '@hearth/receipts';
import type { Host, HostParts } from '@hearth/runtime';
import type { AgreementMachine } from './actions/change-agreement.ts';
import type { AgreementCopies } from './actions/home-agreements.ts';
import type { AgreementRow } from './db/agreements.ts';

export const peersOf = ({ peer }: Host) => ({
  approvals: peer('approvals', ApprovalsService),
  rules: peer('approvals', RequestRulesService),
  groups: peer('groups', GroupsService),
  identity: peer('identity', IdentityService),
  ais: peer('identity', AisService),
  messages: peer('messages', MessagesService),
  records: peer('federation', RecordsService),
  homes: peer('federation', HomesService),
  homeQuestions: peer('federation', HomeQuestionsService),
  parties: peer('identity', PartiesService),
});

export type Context = HostParts<
  'config' | 'homeNames' | 'random' | 'limiter' | 'limits' | 'log' | 'people' | 'sealer'
> & {
  peers: ReturnType<typeof peersOf>;
  otherHomes: OtherHomes;
  /** Copies of remote agreements. */
  copies: AgreementCopies;
  /** Acts of remote parties. */
  acts: ReceivedActs;
  things: Pick<HomeThings, 'beganAnew'>;
  agreements: AgreementMachine;
  signing: Signing<AgreementRow>;
  items: ItemNotes;
  /** uuid of the agreement that each start_agreement created. */
  idempotency: Idempotency<{ id: string }>;
};
