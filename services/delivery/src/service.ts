import { day, hour, second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { encodeWake, wakeSubject } from '@hearth/outbox';
import { createPeople, type People } from '@hearth/people';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host, ServiceDefinition } from '@hearth/runtime';
import { activityTypes, recordActivity } from './activity/consumers/on-event.ts';
import { purgeActivity } from './activity/db/activity.ts';
import { createListActivity } from './activity/rpc/list-activity.ts';
import { startAdminDeliveries } from './admin-deliveries/module.ts';
import { startAppEvents } from './app-deliveries/module.ts';
import { createMailer } from './hold/actions/mailer.ts';
import { hearWakes } from './hold/actions/receive-wakes.ts';
import { createSignalled } from './hold/actions/signalled.ts';
import { createWatchers } from './hold/actions/watchers.ts';
import { heardTypes, recordEvents } from './hold/consumers/on-event.ts';
import { purgeEvents } from './hold/db/events.ts';
import { createHold } from './hold/rpc/hold.ts';
import { createSendMail } from './hold/rpc/send-mail.ts';
import { createPageLinks } from './notices/actions/page-links.ts';
import { startNotices } from './notices/module.ts';
import { createOpenLink } from './notices/rpc/open-link.ts';
import { createOutbound, type Outbound } from './outbound/actions/engine.ts';
import { startWakeUps } from './subscriptions/start-wake-ups.ts';

export const delivery: ServiceDefinition = {
  name: 'delivery',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { bus, clock, database, log } = host;
    const watchers = createWatchers();
    const mailer = createMailer(host);
    host.onStop(() => mailer.close());
    const { sealer } = host;
    const people = createPeople({ identity: host.peer('identity', PeopleService), bus, clock, sealer });
    const links = createPageLinks({ sealer, clock });
    host.serve(DeliveryService, { hold: createHold(watchers), sendMail: createSendMail(mailer) });
    host.serve(LinksService, { openLink: createOpenLink({ database, links, people }) });
    host.onDrain(async () => watchers.endAll());

    const signalled = createSignalled();
    const wakes = hearWakes(bus, watchers, signalled);
    host.onDrain(() => wakes.stop());
    const wakeOthers = (topics: string[]) => bus.signal(wakeSubject, encodeWake({ topics, events: [] }));
    const wake = (topics: readonly string[]) => {
      watchers.wake(topics);
      wakeOthers([...topics]);
    };
    const context = { database, log, watchers, signalled, wakeOthers };
    host.hear({ durable: 'log', types: heardTypes, handle: (heard) => recordEvents(context, heard) });
    await purgeEvents(database, clock);
    host.every('purge of old events', hour, () => purgeEvents(database, clock));
    startActivity(host, people);
    const outbound = startOutbound(host);
    await startWakeUps(host, outbound, { wake });
    const appEvents = await startAppEvents(host, outbound, mailer);
    startNotices(host, { mailer, people, apps: appEvents, links });
    startAdminDeliveries(host, outbound, people);
  },
};

/** Sends to addresses that others chose, for every part that has something to send. */
function startOutbound(host: Host): Outbound {
  const { bus, clock, database, ids, log } = host;
  const outbound = createOutbound({ bus, clock, database, ids, log });
  host.every('what is due to be sent', second, () => outbound.sweep());
  host.every('addresses in hand', 10 * second, () => outbound.renew());
  host.onDrain(() => outbound.stop());
  return outbound;
}

function startActivity(host: Host, people: People): void {
  const { clock, config, database, limits, sealer } = host;
  host.serve(ActivityService, {
    listActivity: createListActivity({
      database,
      limits,
      sealer,
      homeNames: { ownHome: config.home, devHomes: config.devHomes },
      people,
      groups: host.peer('groups', GroupsService),
      ais: host.peer('identity', AisService),
    }),
  });
  host.hear({
    durable: 'activity',
    types: activityTypes,
    handle: (heard) => recordActivity(database, heard),
  });
  const kept = sizeOf(limits, 'activity_days') * day;
  host.every('purge of old activity', hour, () => purgeActivity(database, new Date(clock.now() - kept)));
}
