import type { HomeThings, ReceivedActs } from '@hearth/home-acts';
import type { Idempotency } from '@hearth/idempotency';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Signing } from '@hearth/receipts';
import type { Host, HostParts } from '@hearth/runtime';
import type { Plans } from '../plans/module.ts';
import type { Decisions } from './actions/create-decisions.ts';
import type { DecisionCopies } from './actions/home-decisions.ts';
import type { WholeDecision } from './db/decisions.ts';

export const peersOf = ({ peer }: Host) => ({
  groups: peer('groups', GroupsService),
  ais: peer('identity', AisService),
  identity: peer('identity', PeopleService),
  notes: peer('identity', NotesService),
  guesses: peer('delivery', AppDeliveriesService),
  records: peer('federation', RecordsService),
});

export type Context = HostParts<'config' | 'homeNames' | 'log' | 'people' | 'sealer'> & {
  peers: ReturnType<typeof peersOf>;
  decisions: Decisions;
  /** Those of other homes. */
  copies: DecisionCopies;
  things: HomeThings;
  /** Acts of parties of other homes. */
  acts: ReceivedActs;
  plans: Plans;
  signing: Signing<WholeDecision>;
  /** uuid of the decision that each decide made. */
  idempotency: Idempotency<{ id: string }>;
};
