import { second } from '@hearth/clock';
import { createItemNotes } from '@hearth/items';
import { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import { nextPoliteNo } from '../shared/db/polite-noes.ts';
import { onTimesSettled } from './consumers/on-times-settled.ts';
import type { Context } from './context.ts';
import { nextEarlier } from './db/earlier.ts';
import { noteEarlier } from './jobs/note-earlier.ts';
import { sendPoliteNoes } from './jobs/send-polite-noes.ts';

/** Messages waiting in requests, as a source of the requests box's items. */
export async function startRequestMessages(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    items: createItemNotes(host),
    ais: host.peer('identity', AisService),
    identity: host.peer('identity', IdentityService),
  };
  await host.serveRpcs(ItemSourceService, import.meta.url, context);
  host.consume(onTimesSettled(context));
  host.whenDue('send-polite-noes', 10 * second, { sql: nextPoliteNo }, () => sendPoliteNoes(context));
  host.whenDue('note-earlier', 5 * second, { sql: nextEarlier }, () => noteEarlier(context));
}
