import { day, hour, minute } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Host } from '@hearth/runtime';
import { outboundConnections } from '../outbound/actions/connections.ts';
import type { Outbound } from '../outbound/actions/engine.ts';
import type { Identity } from '../streams/actions/find-standing.ts';
import { streamsForSubscriptions } from '../streams/actions/for-subscriptions.ts';
import type { Streams } from '../streams/actions/streams.ts';
import { createTellReach } from './actions/note-wakes.ts';
import { createWakeUpKind } from './actions/wake-up-kind.ts';
import { purgeSubscriptions } from './db/purge-subscriptions.ts';
import { endLapsed } from './db/subscriptions.ts';
import { type SubscriptionsHandlers, subscriptionsHandlers } from './rpc/index.ts';
import { verifiedMs } from './rpc/subscribe.ts';

/** How long what was delivered, was given up, and ended is kept, for the operator and for renewals. */
const keptMs = { delivered: day, givenUp: 8 * day, ended: 30 * day, started: day };

/** Wake-ups over webhooks; answers the handlers by which AIs set them up. */
export function startSubscriptions(
  host: Host,
  outbound: Outbound,
  { streams, identity }: { streams: Streams; identity: Identity },
): SubscriptionsHandlers {
  const { clock, config, database, ids, limits, log, sealer } = host;
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks, ...outboundConnections });
  host.onStop(() => http.close());
  const context = {
    clock,
    database,
    http,
    ids,
    limits,
    log,
    outbound,
    sealer,
    streams: { prepare: streams.prepare, ...streamsForSubscriptions(streams, clock) },
    federation: host.peer('federation', FederationService),
    ais: identity.ais,
    tellReach: createTellReach({ clock, database, log, identity: host.peer('identity', IdentityService) }),
    groups: host.peer('groups', GroupsService),
  };
  outbound.add(createWakeUpKind(context));

  const before = (ms: number) => new Date(clock.now() - ms);
  host.every('subscriptions that lapsed', minute, () =>
    database.statement((tx) => endLapsed(tx, new Date(clock.now()))),
  );
  host.every('purge of old subscriptions', hour, () =>
    purgeSubscriptions(database, {
      delivered: before(keptMs.delivered),
      givenUp: before(keptMs.givenUp),
      ended: before(keptMs.ended),
      started: before(keptMs.started),
      verified: before(verifiedMs),
    }),
  );
  return subscriptionsHandlers(context);
}
