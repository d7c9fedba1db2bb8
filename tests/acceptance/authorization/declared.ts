import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import { http } from '@hearth/proto/google/api/annotations';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind, operation, Scope } from '@hearth/proto/options';

/** An operation as it is declared, in the words of the specification. */
export interface Declared {
  id: string;
  method: string;
  path: string;
  desc: DescMethod;
  hasBody: boolean;
  callers: ReadonlySet<'anonymous' | 'ai' | 'person' | 'app' | 'operator'>;
  /** "read", ...; undefined when none is needed. */
  scope: string | undefined;
  personOnly: boolean;
}

const services: readonly DescService[] = [
  IdentityService,
  AisService,
  PeopleService,
  AppsService,
  NotesService,
  GroupsService,
  InvitesService,
  MessagesService,
  GroupPostsService,
  ApprovalsService,
  RequestRulesService,
  RequestsService,
  RecordsService,
  ActivityService,
  AppDeliveriesService,
  AdminDeliveriesService,
  SubscriptionsService,
  GatewayService,
];

export const declared: readonly Declared[] = services.flatMap((service) =>
  service.methods.filter((desc) => hasOption(desc, operation)).map(read),
);

function read(desc: DescMethod): Declared {
  const option = getOption(desc, operation);
  const rule = getOption(desc, http);
  const { case: verb, value } = rule.pattern;
  return {
    id: option.id,
    method: String(verb).toUpperCase(),
    path: String(value),
    desc,
    hasBody: rule.body === '*',
    callers: new Set(
      option.callers.map((kind) => CallerKind[kind].toLowerCase()) as Iterable<
        'anonymous' | 'ai' | 'person' | 'app' | 'operator'
      >,
    ),
    scope: option.scope === Scope.UNSPECIFIED ? undefined : Scope[option.scope].toLowerCase(),
    personOnly: option.personOnly,
  };
}
