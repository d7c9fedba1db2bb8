import type { HomeThings } from '@hearth/home-acts';
import type { Idempotency } from '@hearth/idempotency';
import type { Decision } from '@hearth/proto/decisions/v1/decisions';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host, HostParts } from '@hearth/runtime';
import type { Plans } from '../plans/module.ts';
import type { CourseContext } from '../shared/actions/course.ts';
import type { Change } from './actions/create-decisions.ts';
import type { DecisionRow } from './db/decisions.ts';
import type { Participant } from './domain/decision.ts';

export const peersOf = ({ peer }: Host) => ({
  groups: peer('groups', GroupsService),
  ais: peer('identity', AisService),
  identity: peer('identity', PeopleService),
  notes: peer('identity', NotesService),
  guesses: peer('delivery', AppDeliveriesService),
  records: peer('federation', RecordsService),
});

export type Context = HostParts<'log'> &
  CourseContext<DecisionRow, Participant, Change, Decision> & {
    peers: ReturnType<typeof peersOf>;
    homeThings: HomeThings;
    plans: Plans;
    /** uuid of the decision that each `decide` created. */
    idempotency: Idempotency<{ id: string }>;
  };
