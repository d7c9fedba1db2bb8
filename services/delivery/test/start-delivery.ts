import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { type EventData, eventSubject, eventType } from '@hearth/outbox';
import { ActorSchema } from '@hearth/proto/common/v1/caller';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { Client } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import { createSealer, type Sealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { delivery } from '../src/service.ts';

export interface TestDelivery {
  /** As the gateway calls it. */
  client: Client<typeof DeliveryService>;
  /** As the other services call it. */
  inward: Client<typeof DeliveryService>;
  activity: Client<typeof ActivityService>;
  links: Client<typeof LinksService>;
  /** As another service would call it. */
  linksInward: Client<typeof LinksService>;
  admin: Client<typeof AdminDeliveriesService>;
  /** As the gateway calls it, and as decisions asks apps to guess. */
  appDeliveries: Client<typeof AppDeliveriesService>;
  guesses: Pick<Client<typeof AppDeliveriesService>, 'askGuess'>;
  /** As the gateway calls it. */
  wakeUps: Client<typeof SubscriptionsService>;
  sealer: Sealer;
  dataFolder: string;
  clock: ManualClock;
  database: Database;
  databaseUrl: string;
  bus: Bus;
  stop(): Promise<void>;
}

const sealKey = 'A'.repeat(43);

/** Delivery as it stands, on a database of its own; a test publishes on the bus what services would announce. */
export async function startDelivery(
  env: Record<string, string> = {},
  peers: readonly ServiceDefinition[] = [],
): Promise<TestDelivery> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-delivery-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const running = await startHome(
    wholeHome([delivery, ...peers]),
    {
      DATABASE_URL: databaseFor.url,
      HEARTH_DATA: dataFolder,
      HEARTH_HOME: 'hearth.example',
      HEARTH_SEAL_KEY: sealKey,
      ...env,
    },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  return {
    client: running.client(DeliveryService, 'gateway'),
    inward: running.client(DeliveryService, 'identity'),
    activity: running.client(ActivityService, 'gateway'),
    links: running.client(LinksService, 'gateway'),
    linksInward: running.client(LinksService, 'identity'),
    admin: running.client(AdminDeliveriesService, 'gateway'),
    appDeliveries: running.client(AppDeliveriesService, 'gateway'),
    guesses: running.client(AppDeliveriesService, 'decisions'),
    wakeUps: running.client(SubscriptionsService, 'gateway'),
    sealer: createSealer(sealKey, systemRandom),
    dataFolder,
    clock,
    database,
    databaseUrl: databaseFor.url,
    bus: running.bus,
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

const ids = createIds(systemClock, systemRandom);

export function messageSent(at: number, topics: string[] = []): Event {
  return create(EventSchema, {
    id: printId('evt', ids.uuid()),
    at: timestampFromMs(at),
    topics,
    data: { case: 'messageSent', value: { messageId: 'msg_1', to: 'someone' } },
  });
}

/** An event as a service announces it, of now or of that moment. */
export function newEvent(
  data: Event['data'],
  { at, by }: { at: number; by?: MessageInitShape<typeof ActorSchema> },
): Event {
  return create(EventSchema, {
    id: printId('evt', ids.uuid()),
    at: timestampFromMs(at),
    data,
    ...(by === undefined ? {} : { by: create(ActorSchema, by) }),
  });
}

/** Events of one kind, in one batch. */
export async function publish(bus: Bus, events: Event[]): Promise<void> {
  await bus.publish({
    subject: eventSubject(eventType(events[0]!.data as EventData)),
    id: ids.uuid(),
    events: events.map((event) => toBinary(EventSchema, event)),
  });
}
