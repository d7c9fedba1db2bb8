import { day } from '@hearth/clock';
import { keyedMutex } from '@hearth/coalesce';
import { createItemNotes } from '@hearth/items';
import { sizeOf } from '@hearth/limits';
import { createOtherHomes } from '@hearth/people';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { createBlocks } from './actions/blocks.ts';
import { createContacts } from './actions/contacts.ts';
import { createProfiles } from './actions/profiles.ts';
import { type ReceiveMessage, receiveMessage } from './actions/receive-message.ts';
import { type Answer, sendDraft } from './actions/send-draft.ts';
import { createSender } from './actions/sender.ts';
import { onBlockChanged } from './consumers/on-block-changed.ts';
import { onPartiesBeganAnew } from './consumers/on-parties-began-anew.ts';
import type { Context } from './context.ts';
import { deleteKeysBefore } from './db/idempotency.ts';
import { createNextUnread } from './db/next-unread.ts';
import { nextReading } from './db/reading.ts';
import { createReferences } from './db/references.ts';
import type { Draft } from './domain/draft.ts';
import { readOn } from './jobs/read-on.ts';

export type { Received, ReceiveMessage, SenderHome } from './actions/receive-message.ts';
export type { InTurn } from './domain/draft.ts';

/** Sends a message on behalf of the caller of another operation. */
export type SendMessage = (draft: Draft, call: Call) => Promise<Answer>;

export interface Messages {
  /** Handles a message from another home. */
  receiveMessage: ReceiveMessage;
  sendMessage: SendMessage;
}

/** Direct messages between two addresses. */
export async function startMessages(host: Host): Promise<Messages> {
  const { bus, clock, database } = host;
  const items = createItemNotes(host);
  const context: Context = {
    ...host,
    profiles: createProfiles({ identity: host.peer('identity', IdentityService), bus, clock }),
    contacts: createContacts({ bus, database }),
    blocks: createBlocks(host),
    groups: host.peer('groups', GroupsService),
    parties: host.peer('identity', PartiesService),
    homes: createOtherHomes({ homes: host.peer('federation', HomesService), bus, clock }),
    requestRules: host.peer('approvals', RequestRulesService),
    sender: createSender({ ...host, items }),
    items,
    sends: keyedMutex(),
    nextUnread: createNextUnread(database),
    references: createReferences(database),
  };
  await host.serveRpcs(MessagesService, import.meta.url, context);
  host.consume(onBlockChanged(context));
  host.consume(onPartiesBeganAnew(context));
  host.whenDue('read-on', 200, { sql: nextReading }, () => readOn(context));
  host.purge('purge-request-ids', [sizeOf(host.limits, 'request_id_days') * day, deleteKeysBefore]);
  return {
    receiveMessage: receiveMessage(context),
    sendMessage: (draft, call) => sendDraft(context, draft, call),
  };
}
