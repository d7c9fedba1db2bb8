import { HearthError } from '@hearth/errors';
import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Host } from '@hearth/runtime';
import { eventsHandlers } from './rpc/events/index.ts';
import { startStreams } from './streams/start-streams.ts';

/** How AIs are woken: what happened to them is recorded, polled and waited for, and sent to those who subscribe. */
export async function startWakeUps(
  host: Host,
  { wake }: { wake(topics: readonly string[]): void },
): Promise<void> {
  const { clock, database, limits } = host;
  const { streams, identity } = await startStreams(host, { wake, kick: () => {} });
  host.serve(SubscriptionsService, {
    ...eventsHandlers({ clock, database, limits, identity, streams }),
    subscribe: notBuilt,
    listSubscriptions: notBuilt,
    unsubscribe: notBuilt,
    unsubscribeFrom: notBuilt,
  });
}

async function notBuilt(): Promise<never> {
  throw new HearthError('not_built', 'wake-ups are not sent to addresses yet; poll for them', {
    code: 'not_built',
  });
}
