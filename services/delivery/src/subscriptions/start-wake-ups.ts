import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../outbound/actions/engine.ts';
import { startStreams } from '../streams/module.ts';
import { startSubscriptions } from './module.ts';
import { eventsHandlers } from './rpc/poll-index.ts';

/** How AIs are woken: what happened to them is recorded, polled and waited for, and sent to those who subscribe. */
export async function startWakeUps(
  host: Host,
  outbound: Outbound,
  { wake }: { wake(topics: readonly string[]): void },
): Promise<void> {
  const { clock, database, limits } = host;
  const { streams, identity } = await startStreams(host, { wake, kick: outbound.kick });
  host.serve(SubscriptionsService, {
    ...eventsHandlers({ clock, database, limits, identity, streams }),
    ...startSubscriptions(host, outbound, { streams, identity }),
  });
}
