import { hour } from '@hearth/clock';
import { keyedMutex } from '@hearth/coalesce';
import { createItemNotes } from '@hearth/items';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Host } from '@hearth/runtime';
import { createBlocks } from './actions/blocks.ts';
import { createContacts } from './actions/contacts.ts';
import { createProfiles } from './actions/profiles.ts';
import { createSender } from './actions/sender.ts';
import { onBlockChanged } from './consumers/on-block-changed.ts';
import type { Context } from './context.ts';
import { createNextUnread } from './db/next-unread.ts';
import { purgeRequestIds } from './jobs/purge-request-ids.ts';

/** Messages between two addresses: sent, listed, read, taken back. */
export async function startMessages(host: Host): Promise<void> {
  const { bus, clock, database } = host;
  const items = createItemNotes(host);
  const context: Context = {
    ...host,
    profiles: createProfiles({ identity: host.peer('identity', IdentityService), bus, clock }),
    contacts: createContacts(database),
    blocks: createBlocks(host),
    groups: host.peer('groups', GroupsService),
    requestRules: host.peer('approvals', RequestRulesService),
    sender: createSender({ ...host, items }),
    items,
    sends: keyedMutex(),
    nextUnread: createNextUnread(database),
  };
  await host.serveRpcs(MessagesService, import.meta.url, context);
  host.consume(onBlockChanged(context));
  host.every('purge-request-ids', hour, () => purgeRequestIds(context));
}
