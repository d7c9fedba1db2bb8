import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { eventSubject } from '@hearth/outbox';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { Client } from '@hearth/rpc';
import { startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { delivery } from '../src/service.ts';

export interface TestDelivery {
  /** As the gateway calls it. */
  client: Client<typeof DeliveryService>;
  /** As the other services call it. */
  inward: Client<typeof DeliveryService>;
  dataFolder: string;
  clock: ManualClock;
  database: Database;
  bus: Bus;
  stop(): Promise<void>;
}

/** Delivery as it stands, on a database of its own; a test publishes on the bus what services would announce. */
export async function startDelivery(env: Record<string, string> = {}): Promise<TestDelivery> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-delivery-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const running = await startHome(
    wholeHome([delivery]),
    { DATABASE_URL: databaseFor.url, HEARTH_DATA: dataFolder, HEARTH_HOME: 'hearth.example', ...env },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  return {
    client: running.client(DeliveryService, 'gateway'),
    inward: running.client(DeliveryService, 'identity'),
    dataFolder,
    clock,
    database,
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

export async function publish(bus: Bus, events: Event[]): Promise<void> {
  await bus.publish({
    subject: eventSubject('message_sent'),
    id: ids.uuid(),
    events: events.map((event) => toBinary(EventSchema, event)),
  });
}
