import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { createReader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import { onOtherHomeChanged } from './consumers/on-other-home-changed.ts';
import type { Context } from './context.ts';
import { createKnownParties } from './db/known-parties.ts';

/** People and AIs of other homes. */
export async function startParties(host: Host): Promise<void> {
  const reader = createReader({ bounds: new Map(), ignoreUnknown: true });
  const context: Context = { ...host, reader, known: createKnownParties(host.database) };
  await host.serveRpcs(PartiesService, import.meta.url, context);
  await host.serveRpcs(HomeItemsService, import.meta.url, context);
  host.consume(onOtherHomeChanged(context));
}
