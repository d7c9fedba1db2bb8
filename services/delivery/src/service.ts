import { encodeWake, wakeSubject } from '@hearth/outbox';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { ServiceDefinition } from '@hearth/runtime';
import { hearWakes } from './consumers/hear-wakes.ts';
import { heardTypes, recordEvents } from './consumers/record-events.ts';
import { purgeEvents } from './db/events.ts';
import { createSignalled } from './hold/signalled.ts';
import { createWatchers } from './hold/watchers.ts';
import { createMailer } from './mail/mailer.ts';
import { createHold } from './rpc/hold.ts';
import { createSendMail } from './rpc/send-mail.ts';

const hourMs = 3_600_000;

export const delivery: ServiceDefinition = {
  name: 'delivery',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { bus, clock, database, log } = host;
    const watchers = createWatchers();
    const mailer = createMailer(host);
    host.onStop(() => mailer.close());
    host.serve(DeliveryService, { hold: createHold(watchers), sendMail: createSendMail(mailer) });
    host.onDrain(async () => watchers.endAll());

    const signalled = createSignalled();
    const wakes = hearWakes(bus, watchers, signalled);
    host.onDrain(() => wakes.stop());
    const wakeOthers = (topics: string[]) => bus.signal(wakeSubject, encodeWake({ topics, events: [] }));
    const context = { database, log, watchers, signalled, wakeOthers };
    host.hear({ durable: 'log', types: heardTypes, handle: (heard) => recordEvents(context, heard) });
    await purgeEvents(database, clock);
    host.every('purge of old events', hourMs, () => purgeEvents(database, clock));
  },
};
