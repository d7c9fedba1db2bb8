import type { Idempotency } from '@hearth/idempotency';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { Plan } from '@hearth/proto/decisions/v1/plans';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host, HostParts } from '@hearth/runtime';
import type { CourseContext } from '../shared/actions/course.ts';
import type { Change } from './actions/create-plans.ts';
import type { PlanRow } from './db/plans.ts';
import type { Planner } from './domain/plan.ts';

export const peersOf = ({ peer }: Host) => ({
  approvals: peer('approvals', ApprovalsService),
  groups: peer('groups', GroupsService),
  ais: peer('identity', AisService),
  identity: peer('identity', PeopleService),
  records: peer('federation', RecordsService),
});

export type Context = HostParts<'log'> &
  CourseContext<PlanRow, Planner, Change, Plan> & {
    peers: ReturnType<typeof peersOf>;
    /** uuid of the plan that each propose_plan created. */
    idempotency: Idempotency<{ id: string }>;
  };
