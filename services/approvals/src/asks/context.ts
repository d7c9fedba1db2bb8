import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host, HostParts } from '@hearth/runtime';
import type { ContactRules } from '../contact-rules/module.ts';
import type { Requests } from '../requests/module.ts';
import type { Batched } from './actions/batched.ts';
import type { ApprovalMachine } from './actions/change-approval.ts';
import type { KnownAis } from './actions/known-ais.ts';

export const peersOf = ({ peer }: Host) => ({
  identity: peer('identity', IdentityService),
  people: peer('identity', PeopleService),
  ais: peer('identity', AisService),
  groups: peer('groups', GroupsService),
  records: peer('federation', RecordsService),
});

export interface Deps {
  rules: ContactRules;
  requests: Requests;
}

export type AskParts = HostParts<
  'config' | 'homeNames' | 'http' | 'limiter' | 'log' | 'outbox' | 'people' | 'sealer'
>;

export type Context = AskParts &
  Deps & {
    peers: ReturnType<typeof peersOf>;
    knownAis: KnownAis;
    approvals: ApprovalMachine;
    batched: Batched;
  };
