import { day, second } from '@hearth/clock';
import type { HomeThings } from '@hearth/home-acts';
import { createItemNotes } from '@hearth/items';
import { createOtherHomes } from '@hearth/people';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Host } from '@hearth/runtime';
import { type GroupCopies, groupMachine } from '../groups/module.ts';
import { createHomeInvites } from './actions/home-invites.ts';
import { inviteMachine } from './actions/invite-machine.ts';
import { syncJoinApprovals } from './actions/join-approvals.ts';
import { onApprovalSettled } from './consumers/on-approval-settled.ts';
import { onApproversChanged } from './consumers/on-approvers-changed.ts';
import { onGroupsChanged } from './consumers/on-groups-changed.ts';
import { onPartiesBeganAnew } from './consumers/on-parties-began-anew.ts';
import { onShownChanged } from './consumers/on-shown-changed.ts';
import type { Context } from './context.ts';
import { deleteInvitesBefore, nextExpiry } from './db/invites.ts';
import { nextUnplaced } from './db/items.ts';
import { deleteJoinApprovalsBefore, nextSync } from './db/join-approvals.ts';
import { deleteMailsBefore, nextMail } from './db/mails.ts';
import { expireInvites } from './jobs/expire-invites.ts';
import { placeInvites } from './jobs/place-invites.ts';
import { takeOverMails } from './jobs/take-over-mails.ts';

export { joinRequests } from './actions/end-join-requests.ts';

/** The request that changes an invite does this work itself; the job picks up leftovers a little later. */
const left = { afterWritesMs: 5 * second };

/** Starts invites into groups, and their join requests. */
export async function startInvites(host: Host, things: HomeThings, copies: GroupCopies): Promise<void> {
  const { bus, clock, peer } = host;
  const parts = {
    ...host,
    groups: groupMachine(host.commit),
    invites: inviteMachine(host),
    items: createItemNotes(host),
    identity: host.peer('identity', PeopleService),
    profiles: host.peer('identity', IdentityService),
    approvals: host.peer('approvals', ApprovalsService),
    rules: host.peer('approvals', RequestRulesService),
    idempotency: host.idempotency<{ id: string; code: string }>(),
    parties: peer('identity', PartiesService),
    messages: peer('messages', MessagesService),
    otherHomes: createOtherHomes({ homes: peer('federation', HomesService), bus, clock }),
    copies,
  };
  const context: Context = { ...parts, homeInvites: createHomeInvites(parts, things) };
  host.sealed(
    { table: 'mails', column: 'code', context: "'invite.code:' || invite" },
    { table: 'requests', column: 'result', member: 'code', context: "'invite.code:' || (result->>'id')" },
  );
  await host.serveRpcs(InvitesService, import.meta.url, context);
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  await host.serveRpcs(SendSourceService, import.meta.url, context);
  host.consume({
    durable: 'approvals',
    types: ['approval_settled'],
    handle: onApprovalSettled(context),
  });
  host.consume({
    durable: 'sharing',
    types: ['member_joined', 'member_left', 'member_removed', 'group_archived', 'group_updated'],
    handle: onGroupsChanged(context),
  });
  host.consume(onApproversChanged(context));
  host.consume(onPartiesBeganAnew(context));
  host.consume(onShownChanged(context));
  host.whenDue('place-invites', 5 * second, { ...left, sql: nextUnplaced }, () => placeInvites(context));
  host.whenDue('sync-join-approvals', 5 * second, { ...left, sql: nextSync }, () =>
    syncJoinApprovals(context),
  );
  host.whenDue('take-over-mails', 5 * second, { ...left, sql: nextMail }, () => takeOverMails(context));
  host.whenDue('expire-invites', 15 * second, { sql: nextExpiry }, () => expireInvites(context));
  host.purge(
    'purge-invites',
    [90 * day, deleteInvitesBefore],
    [0, deleteMailsBefore],
    [90 * day, deleteJoinApprovalsBefore],
  );
}
