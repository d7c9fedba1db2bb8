import { second } from '@hearth/clock';
import { createItemNotes } from '@hearth/items';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import { onTimesSettled } from './consumers/on-times-settled.ts';
import type { Context } from './context.ts';
import { noteEarlier } from './jobs/note-earlier.ts';
import { sendPoliteNoes } from './jobs/send-polite-noes.ts';

/** The messages that wait in requests: a source of the items of the requests box. */
export async function startRequestMessages(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    items: createItemNotes(host),
    ais: host.peer('identity', AisService),
    identity: host.peer('identity', IdentityService),
  };
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  host.consume(onTimesSettled(context));
  host.every('send-polite-noes', 10 * second, () => sendPoliteNoes(context));
  host.every('note-earlier', 5 * second, () => noteEarlier(context));
}
