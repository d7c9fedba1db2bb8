import type { Idempotency } from '@hearth/idempotency';
import type { ItemNotes } from '@hearth/items';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { GroupMachine } from '../groups/module.ts';
import type { InviteMachine } from './actions/invite-machine.ts';

export type Context = HostParts<'config' | 'homeNames' | 'limiter' | 'log' | 'people' | 'sealer'> & {
  groups: GroupMachine;
  invites: InviteMachine;
  items: ItemNotes;
  identity: Pick<Client<typeof PeopleService>, 'findPeople' | 'createGuest'>;
  profiles: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  approvals: Pick<Client<typeof ApprovalsService>, 'askJoin' | 'settleJoin' | 'cancelJoin'>;
  rules: Pick<Client<typeof RequestRulesService>, 'checkReach'>;
  /** The invite that each create_invite made, and its code under seal for a repeated answer. */
  idempotency: Idempotency<{ id: string; code: string }>;
};
