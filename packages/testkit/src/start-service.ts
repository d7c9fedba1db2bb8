import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type DescService, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Database, openDatabase, type Statement } from '@hearth/db';
import { type Ids, printId, type Random, systemRandom } from '@hearth/ids';
import { type EventData, eventSubject, eventType } from '@hearth/outbox';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { Client } from '@hearth/rpc';
import { type Home, type Host, type ServiceDefinition, type ServiceName, startHome } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { createLogger, type LogLevel } from '@hearth/telemetry';
import type { FakePeers } from './fake-peers.ts';
import { ids } from './ids.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import { wholeHome } from './services.ts';

export type EventInit = NonNullable<MessageInitShape<typeof EventSchema>['data']>;

export interface StartServiceOptions {
  /** The services around those under test. The home's other services serve nothing. */
  peers?: FakePeers;
  /** Adds or replaces settings. */
  env?: Record<string, string>;
  /** The current time (default 2026-03-01T12:00:00.000Z), or a clock. */
  clock?: string | ManualClock;
  random?: Random;
  /** Keeps log lines of this level and above in `logged`. Otherwise errors are printed and nothing is kept. */
  logLevel?: LogLevel;
  /** A database that outlives this home. Default: a fresh one that `stop` removes. */
  databaseUrl?: string;
}

/** An event's fields besides its data. Default: a new id and the current time. */
export type EventFields = Omit<MessageInitShape<typeof EventSchema>, 'data' | '$typeName'>;

export type EventCase = NonNullable<Event['data']['case']>;
export type EventOf<Case extends EventCase> = Event & { data: Extract<Event['data'], { case: Case }> };

/** Services under test on their own database, called over the real dispatcher. */
export interface TestService {
  home: Home;
  clock: ManualClock;
  database: Database;
  /** Executes a test's own statement. */
  run(statement: Statement): Promise<unknown>;
  databaseUrl: string;
  dataFolder: string;
  bus: Bus;
  /** Creates new ids in the order of real time. */
  ids: Ids;
  sealer: Sealer;
  logged: string[];
  /** Returns a client as that service has it. `service` chooses between services that serve the same gRPC service. */
  client<S extends DescService>(service: S, as?: string, peer?: ServiceName): Client<S>;
  /** Resources that the home gives to a service: outbox, cache, peers. */
  host(service: ServiceName): Host;
  /** Builds an event as a service would announce it, without publishing it. */
  event(data: EventInit, fields?: EventFields): Event;
  /** Publishes an event as another service would. Resolves once this home's consumers have handled it. */
  publish(data: EventInit, fields?: EventFields): Promise<Event>;
  /** Publishes events of one type as one batch. */
  publishAll(events: readonly Event[]): Promise<void>;
  /** The rows of a service's outbox, decoded, oldest first: all of them, or only one type. */
  events(service: ServiceName): Promise<Event[]>;
  events<Case extends EventCase>(service: ServiceName, type: Case): Promise<EventOf<Case>[]>;
  /** Sends a signal: `signal('people', uuid)`. */
  signal(subject: string, payload?: string): void;
  /** Collects the payloads of a signal from now on, in order. */
  signals(subject: string): string[];
  /** Runs a job now and waits for it; fails as the job does. `runJob('groups: archive-ended')` */
  runJob(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts these services as part of a whole home whose other services are fakes. */
export async function startService(
  services: readonly ServiceDefinition[],
  options: StartServiceOptions = {},
): Promise<TestService> {
  const { peers, env = {}, random = systemRandom, logLevel } = options;
  const clock =
    typeof options.clock === 'object'
      ? options.clock
      : manualClock(options.clock ?? '2026-03-01T12:00:00.000Z');
  const created = options.databaseUrl === undefined ? await createMigratedDatabase(services) : undefined;
  const databaseUrl = options.databaseUrl ?? created!.url;
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-service-'));
  const logged: string[] = [];
  const log = createLogger({
    level: logLevel ?? 'error',
    service: 'test',
    ...(logLevel !== undefined && { stream: { write: (line: string) => logged.push(line) } }),
  });
  const hosts = new Map<ServiceName, Host>();
  const all = wholeHome([...services, ...(peers?.services ?? [])]).map(
    (service): ServiceDefinition => ({
      ...service,
      async start(host) {
        hosts.set(service.name, host);
        await service.start(host);
      },
    }),
  );

  async function removeData(): Promise<void> {
    await created?.drop();
    rmSync(dataFolder, { recursive: true, force: true });
  }

  let home: Home;
  try {
    const given = {
      DATABASE_URL: databaseUrl,
      HEARTH_DATA: dataFolder,
      HEARTH_HOME: 'hearth.example',
      ...env,
    };
    home = await startHome(all, given, { clock, random, log });
  } catch (error) {
    await removeData();
    throw error;
  }
  const database = openDatabase({ url: databaseUrl, clock });

  function event(data: EventInit, fields: EventFields = {}): Event {
    const usual = { id: printId('evt', ids.uuid()), at: timestampFromMs(clock.now()) };
    return create(EventSchema, { ...usual, ...fields, data });
  }

  async function publishAll(events: readonly Event[]): Promise<void> {
    const { refused } = await home.bus.publish({
      subject: eventSubject(eventType(events[0]!.data as EventData)),
      id: ids.uuid(),
      events: events.map((announced) => toBinary(EventSchema, announced)),
    });
    for (const { error } of refused) throw error;
  }

  async function events(service: ServiceName, type?: EventCase): Promise<never> {
    const rows = await database.db.query<{ event: Buffer }>({
      text: `select event from ${service}.outbox order by created_at, id`,
    });
    const decoded = rows.map((row) => fromBinary(EventSchema, row.event));
    return decoded.filter(({ data }) => type === undefined || data.case === type) as never;
  }

  return {
    home,
    clock,
    database,
    run: (statement) => database.statement((tx) => tx.execute(statement)),
    databaseUrl,
    dataFolder,
    bus: home.bus,
    ids,
    sealer: hosts.get('gateway')!.sealer,
    logged,
    client: (service, as = 'gateway', peer) => home.client(service, as, peer),
    host: (service) => hosts.get(service)!,
    event,
    async publish(data, fields) {
      const announced = event(data, fields);
      await publishAll([announced]);
      return announced;
    },
    publishAll,
    events,
    signal: (subject, payload = '') => home.bus.signal(subject, Buffer.from(payload)),
    signals(subject) {
      const received: string[] = [];
      home.bus.onSignal(subject, (payload) => received.push(Buffer.from(payload).toString()));
      return received;
    },
    runJob: home.runJob,
    async stop() {
      await database.close();
      await home.stop();
      await removeData();
      peers?.check();
    },
  };
}
