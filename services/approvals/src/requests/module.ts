import { day } from '@hearth/clock';
import { ItemsService } from '@hearth/proto/approvals/v1/items';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Host } from '@hearth/runtime';
import type { Elsewhere } from '../asks/module.ts';
import { countElsewhere } from './actions/count-elsewhere.ts';
import { passInvite } from './actions/pass-invite.ts';
import { relabelOther } from './actions/relabel-other.ts';
import { onItemsChanged } from './consumers/on-items-changed.ts';
import type { Context, Deps } from './context.ts';
import { purgeItems } from './jobs/purge-items.ts';

/** @returns the messages and invites that wait, as the rpcs of approvals need them */
export async function startRequests(host: Host, deps: Deps): Promise<Elsewhere> {
  const context: Context = {
    ...host,
    ...deps,
    messages: host.peer('messages', RequestMessagesService),
    invitations: host.peer('groups', InvitationsService),
    identity: host.peer('identity', IdentityService),
  };
  await host.serveRpcs(RequestsService, import.meta.url, context);
  await host.serveRpcs(ItemsService, import.meta.url, context);
  host.consume(onItemsChanged(context));
  host.every('purge-items', day, () => purgeItems(context));
  return {
    count: (owner, person, call) => countElsewhere(context, { owner, person }, call),
    passInvite: (id, note, call) => passInvite(context, id, note, call),
    relabel: (id, kind, call) => relabelOther(context, { id, kind }, call),
  };
}
