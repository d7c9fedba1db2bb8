import { day, hour, second } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import { sizeOf } from '@hearth/limits';
import { createPeople } from '@hearth/people';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import type { Mailer } from '../hold/actions/mailer.ts';
import type { AppEvents } from '../notices/actions/hand-over.ts';
import { outboundConnections } from '../outbound/actions/connections.ts';
import type { Outbound } from '../outbound/actions/engine.ts';
import { createAppKind } from './actions/app-kind.ts';
import { createApps } from './actions/apps.ts';
import { prepare } from './actions/prepare.ts';
import { appEventTypes, recordAppEvents } from './consumers/on-event.ts';
import { storeAppEvents } from './db/app-events.ts';
import { purgeAppEvents } from './db/app-partitions.ts';
import { sendDisabledMails } from './jobs/send-disabled-mails.ts';
import { appDeliveriesHandlers } from './rpc/index.ts';

/** Apps are told what happened: over their webhooks, in the log of what was sent, and by asking. */
export async function startAppEvents(host: Host, outbound: Outbound, mailer: Mailer): Promise<AppEvents> {
  const { bus, clock, config, database, ids, limiter, limits, log, random, sealer } = host;
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks, ...outboundConnections });
  host.onStop(() => http.close());
  const people = createPeople({ identity: host.peer('identity', PeopleService), bus, clock, sealer });
  const apps = createApps({ identity: host.peer('identity', AppsService), bus, clock, sealer });
  const { siteUrl } = config;
  const seen = {
    people,
    groups: host.peer('groups', GroupsService),
    ais: host.peer('identity', AisService),
    sealer,
    siteUrl,
    apps,
  };
  const keptMs = sizeOf(limits, 'app_event_days') * day;

  outbound.add(createAppKind({ apps, clock, database, http, log, random }));
  host.serve(
    AppDeliveriesService,
    appDeliveriesHandlers({
      apps,
      clock,
      database,
      http,
      ids,
      keptMs,
      limiter,
      limits,
      log,
      outbound,
      people,
    }),
  );
  await purgeAppEvents(database, clock, keptMs);
  host.every('purge of old events of apps', hour, () => purgeAppEvents(database, clock, keptMs));
  host.every('mails about disabled addresses', 10 * second, () =>
    sendDisabledMails({ apps, clock, database, log, mailer, siteUrl }),
  );
  host.hear({
    durable: 'app-events',
    types: appEventTypes,
    handle: (heard) => recordAppEvents({ ...seen, clock, database, outbound }, heard),
  });
  return {
    prepare: (events) => prepare(seen, events),
    store: (tx, rows) => storeAppEvents(tx, rows, new Date(clock.now())),
    kick: (due) => outbound.kick(due),
  };
}
