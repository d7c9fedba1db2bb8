import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'limiter' | 'people'> & {
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  approvals: Pick<Client<typeof ApprovalsService>, 'countWaiting'>;
  contactRules: Pick<Client<typeof RequestRulesService>, 'findAccepted'>;
  groups: Pick<Client<typeof GroupsService>, 'findGroups' | 'listGroupIds'>;
  identity: Pick<Client<typeof IdentityService>, 'describeCard' | 'findCallingAi' | 'signCard'>;
  identityPeople: Pick<Client<typeof PeopleService>, 'findPeople' | 'findWard'>;
  messages: Pick<Client<typeof MessagesService>, 'countUnread' | 'listContacts'>;
};
