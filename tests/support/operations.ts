import { type DescMessage, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { operation } from '@hearth/proto/options';

/** Every operation that the home offers, by operationId, method and path. */
export const operations = [
  ['sign_up', 'POST', '/v0/agents'],
  ['whoami', 'GET', '/v0/me'],
  ['card', 'GET', '/v0/cards/{address}'],
  ['describe_me', 'PUT', '/v0/me/description'],
  ['set_away', 'PUT', '/v0/me/away'],
  ['rotate_ai_key', 'POST', '/v0/ais/{id}/keys'],
  ['revoke_ai', 'DELETE', '/v0/ais/{id}'],
  ['create_ai', 'POST', '/v0/ais'],
  ['list_ais', 'GET', '/v0/ais'],
  ['get_ai', 'GET', '/v0/ais/{id}'],
  ['update_ai', 'PATCH', '/v0/ais/{id}'],
  ['vouch_ai', 'PUT', '/v0/ais/{id}/vouch'],
  ['unvouch_ai', 'DELETE', '/v0/ais/{id}/vouch'],
  ['claim_link', 'POST', '/v0/ais/me/claim-link'],
  ['claim_ai', 'POST', '/v0/ais/claim'],
  ['not_my_person', 'POST', '/v0/me/not-my-person'],
  ['create_app', 'POST', '/v0/admin/apps'],
  ['list_apps', 'GET', '/v0/admin/apps'],
  ['get_app', 'GET', '/v0/app'],
  ['update_app', 'PATCH', '/v0/app'],
  ['rotate_app_key', 'POST', '/v0/app/keys'],
  ['rotate_signing_secret', 'POST', '/v0/app/secret'],
  ['confirm_deleted', 'POST', '/v0/app/deletions/{event}/confirm'],
  ['create_person', 'POST', '/v0/people'],
  ['get_person', 'GET', '/v0/people/{id}'],
  ['update_person', 'PATCH', '/v0/people/{id}'],
  ['claim_guest', 'POST', '/v0/people/me/sign-in'],
  ['set_guardian', 'PUT', '/v0/people/{id}/guardian'],
  ['end_guardian', 'DELETE', '/v0/people/{id}/guardian'],
  ['guardian_view', 'GET', '/v0/people/{id}/contacts'],
  ['delete_account', 'DELETE', '/v0/people/{id}'],
  ['keep_account', 'POST', '/v0/people/{id}/keep'],
  ['link_person', 'POST', '/v0/app/people/{id}/link'],
  ['list_groups', 'GET', '/v0/groups'],
  ['create_group', 'POST', '/v0/groups'],
  ['resolve_group', 'GET', '/v0/groups/resolve'],
  ['get_group', 'GET', '/v0/groups/{id}'],
  ['update_group', 'PATCH', '/v0/groups/{id}'],
  ['list_members', 'GET', '/v0/groups/{id}/members'],
  ['check_membership', 'GET', '/v0/groups/{id}/members/{person}'],
  ['set_role', 'PUT', '/v0/groups/{id}/members/{person}/role'],
  ['remove_member', 'DELETE', '/v0/groups/{id}/members/{person}'],
  ['leave_group', 'POST', '/v0/groups/{id}/leave'],
  ['archive_group', 'POST', '/v0/groups/{id}/archive'],
  ['end_group', 'POST', '/v0/groups/{id}/end'],
  ['restore_group', 'POST', '/v0/groups/{id}/restore'],
  ['delete_group', 'DELETE', '/v0/admin/groups/{id}'],
  ['create_invite', 'POST', '/v0/groups/{id}/invites'],
  ['peek_invite', 'GET', '/v0/invites/{code}'],
  ['accept_invite', 'POST', '/v0/invites/{code}/accept'],
  ['review_invite', 'POST', '/v0/invites/{code}/review'],
  ['withdraw_join', 'DELETE', '/v0/invites/{code}/accept'],
  ['list_invites', 'GET', '/v0/groups/{id}/invites'],
  ['revoke_invite', 'DELETE', '/v0/invites/{code}'],
  ['post_group', 'POST', '/v0/groups/{id}/messages'],
  ['list_group_posts', 'GET', '/v0/groups/{id}/messages'],
  ['list_notes', 'GET', '/v0/notes'],
  ['put_note', 'PUT', '/v0/notes/{id}'],
  ['delete_note', 'DELETE', '/v0/notes/{id}'],
  ['send_message', 'POST', '/v0/messages'],
  ['reply_message', 'POST', '/v0/messages/{id}/reply'],
  ['list_messages', 'GET', '/v0/messages'],
  ['get_message', 'GET', '/v0/messages/{id}'],
  ['list_threads', 'GET', '/v0/threads'],
  ['get_thread', 'GET', '/v0/threads/{id}'],
  ['mark_read', 'POST', '/v0/messages/read'],
  ['delete_message', 'DELETE', '/v0/messages/{id}'],
  ['ask_approval', 'POST', '/v0/approvals'],
  ['list_approvals', 'GET', '/v0/approvals'],
  ['get_approval', 'GET', '/v0/approvals/{id}'],
  ['reply_approval', 'POST', '/v0/approvals/{id}/reply'],
  ['cancel_approval', 'DELETE', '/v0/approvals/{id}'],
  ['remind_approval', 'POST', '/v0/approvals/{id}/remind'],
  ['pass_request', 'POST', '/v0/approvals/{id}/pass'],
  ['relabel_request', 'POST', '/v0/approvals/{id}/relabel'],
  ['relabel_request', 'POST', '/v0/requests/{id}/relabel'],
  ['request_rules', 'GET', '/v0/request-rules'],
  ['propose_request_rules', 'POST', '/v0/request-rules/proposal'],
  ['accept_request_rules', 'POST', '/v0/request-rules/proposal/{id}/accept'],
  ['decline_request_rules', 'POST', '/v0/request-rules/proposal/{id}/decline'],
  ['set_request_rules', 'PUT', '/v0/request-rules'],
  ['list_requests', 'GET', '/v0/requests'],
  ['accept_request', 'POST', '/v0/requests/{id}/accept'],
  ['decline_request', 'POST', '/v0/requests/{id}/decline'],
  ['list_blocks', 'GET', '/v0/blocks'],
  ['block', 'PUT', '/v0/blocks/{target}'],
  ['unblock', 'DELETE', '/v0/blocks/{target}'],
  ['report', 'POST', '/v0/reports'],
  ['list_reports', 'GET', '/v0/admin/reports'],
  ['resolve_report', 'POST', '/v0/admin/reports/{id}/resolve'],
  ['get_record', 'GET', '/v0/records/{id}'],
  ['verify_record', 'POST', '/v0/verify'],
  ['list_activity', 'GET', '/v0/activity'],
  ['list_deliveries', 'GET', '/v0/app/deliveries'],
  ['get_delivery', 'GET', '/v0/app/deliveries/{id}'],
  ['replay_delivery', 'POST', '/v0/app/deliveries/{id}/replay'],
  ['replay_deliveries', 'POST', '/v0/app/deliveries/replay'],
  ['list_app_events', 'GET', '/v0/app/events'],
  ['test_webhook', 'POST', '/v0/app/webhook/test'],
  ['list_destinations', 'GET', '/v0/admin/deliveries/destinations'],
  ['list_all_deliveries', 'GET', '/v0/admin/deliveries'],
  ['show_delivery', 'GET', '/v0/admin/deliveries/{destination}/{id}'],
  ['replay_for_app', 'POST', '/v0/admin/deliveries/replay'],
  ['resume_destination', 'POST', '/v0/admin/deliveries/destinations/{id}/resume'],
  ['list_events', 'GET', '/v0/events'],
  ['poll_events', 'GET', '/v0/ais/{id}/events'],
  ['wait_for_event', 'GET', '/v0/ais/{id}/events/wait'],
  ['subscribe', 'POST', '/v0/ais/{id}/subscriptions'],
  ['list_subscriptions', 'GET', '/v0/ais/{id}/subscriptions'],
  ['unsubscribe', 'DELETE', '/v0/ais/{id}/subscriptions/{subscription}'],
  ['limits', 'GET', '/v0/limits'],
] as const;

export type OperationId = (typeof operations)[number][0];

/** The operations that need no key. */
export const open: ReadonlySet<string> = new Set([
  'sign_up',
  'limits',
  'peek_invite',
  'accept_invite',
  'get_record',
  'verify_record',
  'list_events',
]);

const services: readonly DescService[] = [
  IdentityService,
  AisService,
  AppsService,
  PeopleService,
  GroupsService,
  InvitesService,
  NotesService,
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

/** What a request of the operation may hold, as it is declared. */
export function inputOf(id: string): DescMessage {
  const methods = services.flatMap((service) => service.methods);
  const method = methods.find((each) => hasOption(each, operation) && getOption(each, operation).id === id);
  if (method === undefined) throw new Error(`${id} is not declared`);
  return method.input;
}

/** The path with its parameters filled in: an id or address of the right shape behind which there is nothing. */
export function somePath(template: string): string {
  const kinds: [string, string][] = [
    ['/ais/', 'ai'],
    ['/app/deliveries/', 'evt'],
    ['/groups/', 'grp'],
    ['/notes/', 'nte'],
    ['/people/', 'per'],
    ['/threads/', 'thr'],
  ];
  const id = kinds.find(([part]) => template.includes(part))?.[1] ?? 'msg';
  return template
    .replace('{address}', '@free-zzzzzz.ai-robin')
    .replace('{code}', '0'.repeat(22))
    .replace('{event}', `evt_${'0'.repeat(32)}`)
    .replace('{subscription}', `sub_${'0'.repeat(32)}`)
    .replace('{person}', `per_${'0'.repeat(32)}`)
    .replace('{id}', `${id}_${'0'.repeat(32)}`);
}
