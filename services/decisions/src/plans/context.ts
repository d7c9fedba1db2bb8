import type { ReceivedActs } from '@hearth/home-acts';
import type { Idempotency } from '@hearth/idempotency';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Signing } from '@hearth/receipts';
import type { Host, HostParts } from '@hearth/runtime';
import type { Plans } from './actions/create-plans.ts';
import type { PlanCopies } from './actions/home-plans.ts';
import type { WholePlan } from './db/plans.ts';

export const peersOf = ({ peer }: Host) => ({
  approvals: peer('approvals', ApprovalsService),
  groups: peer('groups', GroupsService),
  ais: peer('identity', AisService),
  identity: peer('identity', PeopleService),
  records: peer('federation', RecordsService),
});

export type Context = HostParts<'config' | 'homeNames' | 'log' | 'people' | 'sealer'> & {
  peers: ReturnType<typeof peersOf>;
  plans: Plans;
  /** Those of other homes. */
  copies: PlanCopies;
  /** Acts of parties of other homes. */
  acts: ReceivedActs;
  signing: Signing<WholePlan>;
  /** uuid of the plan that each propose_plan made. */
  idempotency: Idempotency<{ id: string }>;
};
