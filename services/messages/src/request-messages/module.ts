import { second } from '@hearth/clock';
import { createItemNotes } from '@hearth/items';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { AisService } from '@hearth/proto/identity/v1/ais';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';
import { noteEarlier } from './jobs/note-earlier.ts';

/** The messages that wait in requests: a source of the items of the requests box. */
export async function startRequestMessages(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    items: createItemNotes(host),
    ais: host.peer('identity', AisService),
  };
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  host.every('note-earlier', 5 * second, () => noteEarlier(context));
}
