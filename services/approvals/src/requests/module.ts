import type { MessageInitShape } from '@bufbuild/protobuf';
import { day, minute, nowDate } from '@hearth/clock';
import type { Approval, RelabelRequestResponseSchema } from '@hearth/proto/approvals/v1/approvals';
import { ItemsService } from '@hearth/proto/approvals/v1/items';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { UsesService } from '@hearth/proto/gateway/v1/uses';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { RequestKindName } from '../shared/domain/request-kinds.ts';
import { passItem, relabelItem } from './actions/settle-item.ts';
import { createKinds } from './actions/sources.ts';
import { onItemsChanged } from './consumers/on-items-changed.ts';
import { onViewersChanged } from './consumers/on-viewers-changed.ts';
import type { Context, Deps } from './context.ts';
import { countItems, type ItemsViewer, purgeClosed, type WaitingCount } from './db/items.ts';
import { nextRequestNotice } from './db/request-notices.ts';
import { tellNewRequests } from './jobs/tell-new-requests.ts';

export { requestsTopic } from './domain/items.ts';

/** Readers gain nothing from larger numbers. */
const mostCounted = 1_000;

/** The waiting items, as other modules use them. */
export interface Requests {
  /** Counts the items that wait for a viewer, in both inboxes and in the requests. */
  count(viewer: ItemsViewer): Promise<{ inbox: WaitingCount; others: WaitingCount }>;
  /** Passes an item from the front door on to the person. @throws not_found, forbidden */
  pass(id: string, note: string, call: Call): Promise<Approval>;
  /** Changes the kind of a waiting item. @throws not_found */
  relabel(
    id: string,
    label: RequestKindName,
    call: Call,
  ): Promise<MessageInitShape<typeof RelabelRequestResponseSchema>>;
}

export async function startRequests(host: Host, deps: Deps): Promise<Requests> {
  const context: Context = {
    ...host,
    ...deps,
    kinds: createKinds(host),
    idempotency: host.idempotency('request_ids'),
    ais: host.peer('identity', AisService),
    identity: host.peer('identity', IdentityService),
    parties: host.peer('identity', PartiesService),
    facts: host.peer('identity', PeopleService),
    messages: host.peer('messages', MessagesService),
    commons: host.peer('messages', CommonsService),
    groupPosts: host.peer('messages', GroupPostsService),
  };
  await host.serveRpcs(RequestsService, import.meta.url, context);
  await host.serveRpcs(ItemsService, import.meta.url, context);
  await host.serveRpcs(UsesService, import.meta.url, context);
  host.consume(onItemsChanged(context));
  host.consume(onViewersChanged(context));
  host.whenDue('tell-new-requests', minute, { sql: nextRequestNotice }, () => tellNewRequests(context));
  // Longer than the bus keeps an event that could place a closed item.
  host.purge('purge-items', [9 * day, purgeClosed]);
  return {
    count: (viewer) => countItems(host.database.db, viewer, nowDate(host.clock), mostCounted),
    pass: (id, note, call) => passItem(context, id, note, call),
    relabel: (id, label, call) => relabelItem(context, { id, label }, call),
  };
}
