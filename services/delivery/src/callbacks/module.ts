import { day } from '@hearth/clock';
import { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import { createCallbackKind } from './actions/callback-kind.ts';
import { onSettled } from './consumers/on-settled.ts';
import type { Context } from './context.ts';
import { deleteSettledBefore } from './db/callbacks.ts';
import { shownCallbacks } from './db/shown-callbacks.ts';

/** Ended callbacks stay visible to the operator for this long. */
const keptMs = 30 * day;

/** Posts the outcomes of asks to their askers. */
export async function startCallbacks(host: Host, outbound: Outbound): Promise<void> {
  const context: Context = {
    ...host,
    outbound,
    approvals: host.peer('approvals', SendSourceService),
    federation: host.peer('federation', FederationService),
  };
  outbound.add(createCallbackKind(context), shownCallbacks);
  await host.serveRpcs(CallbacksService, import.meta.url, context);
  host.consume(onSettled(context));
  host.purge('purge-callbacks', [keptMs, deleteSettledBefore]);
}
