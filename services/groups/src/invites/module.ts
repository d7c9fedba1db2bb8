import { day, hour, second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { createIdempotency } from '@hearth/requests';
import type { Host } from '@hearth/runtime';
import type { Context } from '../groups/context.ts';
import { tellAsks } from './actions/join-approvals.ts';
import { followApprovals } from './consumers/on-approval-settled.ts';
import { startInvitations } from './consumers/on-blocked.ts';
import type { InvitesContext } from './context.ts';
import { expireInvites, purgeInvites } from './jobs/expire-invites.ts';
import { sendInviteMails } from './jobs/send-invite-mails.ts';
import { invitesHandlers } from './rpc/index.ts';

/** Invites into groups, and who wants to join by them. */
export function startInvites(host: Host, context: Context): void {
  const { clock, config, database, limits, sealer } = host;
  const invites: InvitesContext = {
    ...context,
    homeName: config.home,
    childTaps: config.childTaps,
    profiles: host.peer('identity', IdentityService),
    mail: host.peer('delivery', DeliveryService),
    approvals: host.peer('approvals', ApprovalsService),
    rules: host.peer('approvals', RequestRulesService),
    sealer,
    // Beside the other creates of this service, whose purge it shares.
    made: createIdempotency({
      database,
      schema: 'groups',
      clock,
      keptForMs: sizeOf(limits, 'request_id_days') * day,
    }),
  };
  host.serve(InvitesService, invitesHandlers(invites));
  startInvitations(host, invites);
  host.hear({
    durable: 'approvals',
    types: ['approval_settled'],
    handle: (heard) =>
      followApprovals(
        invites,
        heard.map(({ event }) => event),
      ),
  });
  host.every('asks about who wants to join', 5 * second, () => tellAsks(invites));
  host.every('e-mails of invites', 2 * second, () => sendInviteMails(invites));
  host.every('end of invites', 15 * second, () => expireInvites(context));
  host.every('purge of invites', hour, () => purgeInvites(context));
}
