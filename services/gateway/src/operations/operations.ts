import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
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
import type { HttpRule } from '@hearth/proto/google/api/http';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { type Operation as Declaration, operation } from '@hearth/proto/options';
import type { ServiceName } from '@hearth/runtime';
import { parseTemplate, type Segment } from './template.ts';

/** Every service with operations for the world outside. A new one is added here and nowhere else. */
export const publicServices: readonly DescService[] = [
  IdentityService,
  AisService,
  AppsService,
  PeopleService,
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

export const httpMethods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const;

export type HttpMethod = (typeof httpMethods)[number];

/** How an operation is reached over HTTP. */
export interface Binding {
  method: HttpMethod;
  /** As it is declared: "/v0/messages/{id}". */
  template: string;
  segments: Segment[];
  /** Whether the fields that are not in the path come as a JSON body; as query parameters otherwise. */
  hasBody: boolean;
}

/** A public operation as its service declares it. */
export interface Operation {
  /** operationId: "send_message". */
  id: string;
  desc: DescMethod;
  /** The service that answers it. */
  service: ServiceName;
  declared: Declaration;
  bindings: Binding[];
}

/** The public operations of these services, in the order of declaration. Throws for what no route can be made of. */
export function readOperations(services: readonly DescService[] = publicServices): Operation[] {
  const operations = services.flatMap((service) =>
    service.methods.filter((desc) => hasOption(desc, operation)).map(readOperation),
  );
  const ids = new Set<string>();
  for (const { id, desc } of operations) {
    if (ids.has(id)) throw internal(`${desc.toString()}: the operation id ${id} is taken`);
    ids.add(id);
  }
  return operations;
}

function readOperation(desc: DescMethod): Operation {
  const declared = getOption(desc, operation);
  if (declared.id === '') throw internal(`${desc.toString()} has no operation id`);
  if (declared.callers.length === 0) throw internal(`${desc.toString()} does not declare who may call it`);
  if (!hasOption(desc, http)) throw internal(`${desc.toString()} has no HTTP rule`);
  if (desc.methodKind !== 'unary') throw internal(`${desc.toString()} streams, which no route can`);
  const rule = getOption(desc, http);
  const bindings = [rule, ...rule.additionalBindings].map((each) => readBinding(desc, each));
  return { id: declared.id, desc, service: serviceOf(desc), declared, bindings };
}

function readBinding(desc: DescMethod, rule: HttpRule): Binding {
  const { case: verb, value } = rule.pattern;
  const method = verb?.toUpperCase() as HttpMethod;
  if (!httpMethods.includes(method) || typeof value !== 'string') {
    throw internal(`${desc.toString()}: an HTTP rule needs one of ${httpMethods.join(', ')}`);
  }
  if (rule.body !== '' && rule.body !== '*') {
    throw internal(`${desc.toString()}: body must be "*" or absent; got "${rule.body}"`);
  }
  const segments = parseTemplate(value);
  for (const segment of segments) {
    const known =
      segment.parameter === undefined || desc.input.fields.some((field) => field.name === segment.parameter);
    if (!known)
      throw internal(`${desc.toString()}: ${value} names {${segment.parameter}}, which is no field`);
  }
  return { method, template: value, segments, hasBody: rule.body === '*' };
}

/** "hearth.messages.v1.MessagesService" is the service "messages". */
function serviceOf(desc: DescMethod): ServiceName {
  return desc.parent.typeName.split('.')[1] as ServiceName;
}
