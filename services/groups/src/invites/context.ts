import type { Idempotency } from '@hearth/idempotency';
import type { ItemNotes } from '@hearth/items';
import type { OtherHomes } from '@hearth/people';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { GroupCopies, GroupMachine } from '../groups/module.ts';
import type { InviteCopies } from './actions/home-invites.ts';
import type { InviteMachine } from './actions/invite-machine.ts';

export type Context = HostParts<
  'config' | 'homeNames' | 'languages' | 'limiter' | 'log' | 'people' | 'sealer'
> & {
  groups: GroupMachine;
  invites: InviteMachine;
  items: ItemNotes;
  identity: Pick<Client<typeof PeopleService>, 'findPeople' | 'createGuest'>;
  profiles: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  approvals: Pick<Client<typeof ApprovalsService>, 'askJoin' | 'settleJoin' | 'cancelJoin'>;
  rules: Pick<Client<typeof RequestRulesService>, 'checkReach'>;
  parties: Pick<Client<typeof PartiesService>, 'meetParty'>;
  messages: Pick<Client<typeof MessagesService>, 'knowsParty'>;
  otherHomes: OtherHomes;
  /** Copies of remote groups. */
  copies: GroupCopies;
  /** Copies of invites into remote groups. */
  homeInvites: InviteCopies;
  /** The invite that each create_invite made, and its sealed code for a repeated answer. */
  idempotency: Idempotency<{ id: string; code: string }>;
};
