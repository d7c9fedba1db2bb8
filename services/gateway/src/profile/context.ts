import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Reader } from '@hearth/proto-json';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'homeNames' | 'limiter' | 'people'> & {
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  approvals: Pick<Client<typeof ApprovalsService>, 'countWaiting' | 'listAnsweredFor'>;
  contactRules: Pick<Client<typeof RequestRulesService>, 'findAccepted'>;
  decisions: Pick<Client<typeof DecisionsService>, 'countWaiting'>;
  groups: Pick<Client<typeof GroupsService>, 'findGroups' | 'listGroupIds'>;
  homeQuestions: Pick<Client<typeof HomeQuestionsService>, 'fetchHomeCard'>;
  identity: Pick<Client<typeof IdentityService>, 'describeCard' | 'findCallingAi' | 'signCard'>;
  identityPeople: Pick<Client<typeof PeopleService>, 'findPeople' | 'findWard'>;
  meetings: Pick<Client<typeof MeetingsService>, 'findOpenOffers'>;
  messages: Pick<Client<typeof MessagesService>, 'countUnread' | 'listContacts'>;
  /** Reads messages written by other homes. */
  reader: Reader;
};
