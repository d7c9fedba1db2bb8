import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';

/** Answers that gather facts of several services: whoami, cards, and the guardian's view of a child. */
export async function startProfile(host: Host): Promise<void> {
  const { limiter, people, peer } = host;
  const context: Context = {
    limiter,
    people,
    ais: peer('identity', AisService),
    approvals: peer('approvals', ApprovalsService),
    contactRules: peer('approvals', RequestRulesService),
    groups: peer('groups', GroupsService),
    identity: peer('identity', IdentityService),
    identityPeople: peer('identity', PeopleService),
    messages: peer('messages', MessagesService),
  };
  await host.serveRpcs(ProfileService, import.meta.url, context);
}
