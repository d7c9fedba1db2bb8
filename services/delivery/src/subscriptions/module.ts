import { day, hour, minute } from '@hearth/clock';
import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { UsesService } from '@hearth/proto/gateway/v1/uses';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { verifiedMs } from '../shared/actions/verify-address.ts';
import { fanOut, terminate } from './actions/fan-out.ts';
import { resumeSubscription } from './actions/resume-subscription.ts';
import { createWakeUpKind } from './actions/wake-up-kind.ts';
import { onAccessEnded } from './consumers/on-access-ended.ts';
import type { Context } from './context.ts';
import { holdBackSends } from './db/hold-back-sends.ts';
import { purgeSubscriptions } from './db/purge-subscriptions.ts';
import { shownSubscriptions } from './db/shown-subscriptions.ts';
import { endLapsed, nextLapse } from './db/subscriptions.ts';

/** Used by streams, which changes subscriptions in its own transactions. */
export const subscribers = { queue: fanOut, terminate, holdBack: holdBackSends };

/** Retention of delivered, given-up and ended rows, for the operator and for renewals. */
const keptMs = { delivered: day, givenUp: 8 * day, ended: 30 * day, started: day, verified: verifiedMs };

/** Lets AIs poll for wake-ups, wait for them, or receive them by webhook. */
export async function startSubscriptions(
  host: Host,
  deps: Pick<Context, 'outbound' | 'streams'>,
): Promise<void> {
  const { clock, database } = host;
  const context: Context = {
    ...host,
    ...deps,
    ais: host.peer('identity', AisService),
    facts: host.peer('identity', PeopleService),
    federation: host.peer('federation', FederationService),
    groups: host.peer('groups', GroupsService),
    identity: host.peer('identity', IdentityService),
  };
  deps.outbound.add(createWakeUpKind(context), {
    ...shownSubscriptions,
    resume: async (tx, id, how) => ((await resumeSubscription(tx, id, how)) ? [id] : []),
  });
  for (const column of ['secret', 'old_secret']) {
    host.sealed({ table: 'subscriptions', column, context: "'subscription.secret:' || id" });
  }
  await host.serveRpcs(SubscriptionsService, import.meta.url, context);
  await host.serveRpcs(UsesService, import.meta.url, context);
  host.consume(onAccessEnded(context));
  host.whenDue('end-lapsed-subscriptions', minute, { sql: nextLapse }, () =>
    database.statement((tx) => endLapsed(tx, new Date(clock.now()))),
  );
  host.every('purge-subscriptions', hour, () => purgeSubscriptions(database, clock.now(), keptMs));
}
