import { second } from '@hearth/clock';
import { createItemNotes } from '@hearth/items';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Host } from '@hearth/runtime';
import { onBlockChanged } from './consumers/on-block-changed.ts';
import { onHolderChanged } from './consumers/on-holder-changed.ts';
import type { Context } from './context.ts';
import { noteEarlier } from './jobs/note-earlier.ts';

/** The messages that wait in requests: a source of the items of the requests box. */
export async function startRequestMessages(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    items: createItemNotes(host),
    ais: host.peer('identity', AisService),
    identity: host.peer('identity', PeopleService),
  };
  await host.serveRpcs(RequestMessagesService, import.meta.url, context);
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  host.every('note-earlier', 5 * second, () => noteEarlier(context));
  host.consume(onBlockChanged(context));
  host.consume(onHolderChanged(context));
}
