import type { HomeThings } from '@hearth/home-acts';
import { createItemNotes } from '@hearth/items';
import { sizesOf } from '@hearth/limits';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { createReader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import type { ReceiveMessage } from '../messages/module.ts';
import { onHomeItemSettled } from './consumers/on-home-item-settled.ts';
import type { Context } from './context.ts';

/** Messages from other homes, and the delivery status of messages to them. */
export async function startHomeMessages(
  host: Host,
  things: HomeThings,
  receiveMessage: ReceiveMessage,
): Promise<void> {
  const context: Context = {
    ...host,
    receiveMessage,
    things,
    items: createItemNotes(host),
    reader: createReader({ bounds: sizesOf(host.limits), ignoreUnknown: true }),
    parties: host.peer('identity', PartiesService),
  };
  await host.serveRpcs(HomeItemsService, import.meta.url, context);
  host.consume(onHomeItemSettled(context));
}
