import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { createReader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';

/** Serves answers that combine facts of several services: whoami, cards, and the guardian's view of a child. */
export async function startProfile(host: Host): Promise<void> {
  const { homeNames, limiter, people, peer } = host;
  const context: Context = {
    homeNames,
    limiter,
    people,
    ais: peer('identity', AisService),
    approvals: peer('approvals', ApprovalsService),
    contactRules: peer('approvals', RequestRulesService),
    decisions: peer('decisions', DecisionsService),
    groups: peer('groups', GroupsService),
    homeQuestions: peer('federation', HomeQuestionsService),
    identity: peer('identity', IdentityService),
    identityPeople: peer('identity', PeopleService),
    meetings: peer('decisions', MeetingsService),
    messages: peer('messages', MessagesService),
    reader: createReader({ bounds: new Map(), ignoreUnknown: true, unknownWords: true }),
  };
  await host.serveRpcs(ProfileService, import.meta.url, context);
}
