import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { day, type ManualClock, manualClock } from '@hearth/clock';
import type { Database, Db } from '@hearth/db';
import { unavailable } from '@hearth/errors';
import { type HomeItemSettled, HomeItemType, type ItemForHomesSchema } from '@hearth/proto/events/v1/events';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import {
  type HomeItem,
  HomeItemDecision,
  HomeItemsService,
  type HomeItemVerdictSchema,
  HomeRequestsService,
} from '@hearth/proto/federation/v1/items';
import { IdentityService, type ProfileSchema } from '@hearth/proto/identity/v1/identity';
import { anonymous } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { fake, fakePeers, ids, startService, type TestService } from '@hearth/testkit';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { federation } from '../src/service.ts';

/** Jobs that only `run` starts here; on their own schedule they would interfere with the steps of a test. */
const byHand: readonly string[] = ['decide-items', 'pull-items'];
const whenDueByHand =
  (host: Host): Host['whenDue'] =>
  (job, milliseconds, next, work) => {
    if (byHand.includes(job)) host.every(job, day, work);
    else host.whenDue(job, milliseconds, next, work);
  };

/** Calls `onStatement` for each statement outside a transaction. */
const countedBy = (onStatement: () => void, { db, ...database }: Database): Database => {
  const counted =
    <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
    (...args: Args) => {
      onStatement();
      return work(...args);
    };
  const counting = { query: counted(db.query), one: counted(db.one), maybeOne: counted(db.maybeOne) };
  return { ...database, db: counting as Db, statement: counted(database.statement) as Database['statement'] };
};

type Verdict = MessageInitShape<typeof HomeItemVerdictSchema>;

/** A home with only federation: its other services record the items that they receive, and answer as the test says. */
export interface TestHome {
  name: string;
  service: TestService;
  /** Every item that messages, approvals and the other services received, in order. */
  readonly given: HomeItem[];
  /** Sets their verdict on items. */
  decides(decide: (item: HomeItem) => Verdict): void;
  /** The people and AIs of this home, as identity knows them. */
  readonly people: MessageInitShape<typeof ProfileSchema>[];
  /** Sets whether the other services are unavailable. */
  away(isAway: boolean): void;
  /** Makes the other services fail over that item. */
  failsOver(id: string | null): void;
  /** Returns the remaining first contacts that they were told last. */
  firstContactsLeft(): number;
  /** Intercepts requests to this home; returns true if it answered itself. */
  cut(between: ((request: IncomingMessage, response: ServerResponse) => boolean) | null): void;
  /** Requests that were not intercepted, by method and path. */
  readonly asked: string[];
  /** Gives an item to another home, as a service does. */
  give(to: TestHome | string, item?: MessageInitShape<typeof ItemForHomesSchema>): Promise<string>;
  settled(): Promise<HomeItemSettled[]>;
  /** Returns how many statements its federation sent outside transactions. */
  statements(): number;
  /** Ends the process as a crash would, and starts another on the same data. */
  restart(): Promise<void>;
  /** Runs a job once. */
  run(job: 'send-due' | 'decide-items' | 'pull-items' | 'purge-items' | 'count-homes'): Promise<void>;
  stop(): Promise<void>;
}

export interface TestHomes {
  clock: ManualClock;
  one: TestHome;
  other: TestHome;
  stop(): Promise<void>;
}

/** Limits per minute do not use the test's clock, and these homes send more than strangers may. */
const minuteLifted = JSON.stringify({ stranger_items_a_minute: null, stranger_requests_a_minute: null });

/**
 * @param further starts other homes that both know, and returns their names
 * @param env variables in addition to the common ones
 */
export async function startHomes(
  further: (clock: ManualClock) => Promise<string[]> = async () => [],
  env: Record<string, string> = {},
): Promise<TestHomes> {
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const more = await further(clock);
  const servers = await Promise.all([listen(), listen()]);
  const [first, second] = servers.map(({ name }) => name) as [string, string];
  const home = await startHome(first, servers[0]!, { peers: [second, ...more], clock, env });
  const other = await startHome(second, servers[1]!, { peers: [first, ...more], clock, env });
  return {
    clock,
    one: home,
    other,
    async stop() {
      await Promise.all([home.stop(), other.stop()]);
    },
  };
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function listen() {
  const state: { handle: Handle } = { handle: (_, response) => response.destroy() };
  const server = createServer((request, response) => state.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, state, name: `localhost:${(server.address() as AddressInfo).port}` };
}

async function startHome(
  name: string,
  { server, state }: Awaited<ReturnType<typeof listen>>,
  { peers, clock, env }: { peers: readonly string[]; clock: ManualClock; env: Record<string, string> },
): Promise<TestHome> {
  const database: TestDatabase = await createMigratedDatabase([federation]);
  const given: HomeItem[] = [];
  const asked: string[] = [];
  const people: MessageInitShape<typeof ProfileSchema>[] = [];
  let decide: (item: HomeItem) => Verdict = () => ({ decision: HomeItemDecision.OK });
  let isAway = false;
  let fatal: string | null = null;
  let left = 0;
  let statements = 0;
  let between: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  const receive = {
    async receiveHomeItems({ items, firstContactsLeft }: { items: HomeItem[]; firstContactsLeft: number }) {
      if (isAway) throw unavailable('away');
      if (items.some(({ id }) => id.endsWith(`:${fatal}`))) throw new Error('no');
      given.push(...items);
      left = firstContactsLeft;
      return { verdicts: items.map(decide) };
    },
  };
  const start = () =>
    startService(
      [
        {
          ...federation,
          start: (host) =>
            federation.start({
              ...host,
              whenDue: whenDueByHand(host),
              database: countedBy(() => {
                statements += 1;
              }, host.database),
            }),
        },
      ],
      {
        databaseUrl: database.url,
        clock,
        logLevel: 'debug',
        env: {
          HEARTH_HOME: name,
          HEARTH_SITE_URL: `http://${name}`,
          HEARTH_DEV_HOMES: peers.join(','),
          HEARTH_SEAL_KEY: Buffer.alloc(32, 7).toString('base64url'),
          HEARTH_LIMITS: minuteLifted,
          ...env,
        },
        peers: fakePeers(
          fake(HomeItemsService, receive, 'messages'),
          fake(HomeItemsService, receive, 'approvals'),
          fake(HomeItemsService, receive, 'decisions'),
          fake(HomeItemsService, receive, 'identity'),
          fake(IdentityService, {
            findProfiles: async ({ addresses = [], ids: wanted = [] }) => ({
              results: [...addresses, ...wanted].map((one) => {
                const profile = people.find(({ address, id }) => address === one || id === one);
                return profile === undefined ? {} : { profile };
              }),
            }),
          }),
        ),
      },
    );
  let service = await start();

  state.handle = (request, response) => {
    if (between?.(request, response)) return;
    void answer(request, response).catch(() => response.destroy());
  };
  /** Answers as the gateway does. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (url === '/.well-known/service.json') {
      const { json } = await service.client(FederationService).getHomeDocument({}, { caller: anonymous });
      response.setHeader('content-type', 'application/json').end(json);
      return;
    }
    asked.push(`${request.method} ${url}`);
    const lines = request.rawHeaders.flatMap((header, index) =>
      index % 2 === 0 ? [{ name: header.toLowerCase(), value: request.rawHeaders[index + 1]! }] : [],
    );
    const { status, headers, body } = await service.client(HomeRequestsService).serveHomeRequest(
      {
        ...{ method: request.method!, path: url.slice('/federation'.length), headers: lines },
        ...{ body: Buffer.from(await text(request)), network: '203.0.113.0/24' },
      },
      { caller: anonymous },
    );
    for (const header of headers) response.setHeader(header.name, header.value);
    response.writeHead(status).end(body);
  }

  return {
    name,
    get service() {
      return service;
    },
    given,
    asked,
    people,
    decides(next) {
      decide = next;
    },
    away(next) {
      isAway = next;
    },
    failsOver(id) {
      fatal = id;
    },
    firstContactsLeft: () => left,
    cut(next) {
      between = next;
    },
    async give(to, item = {}) {
      const home = typeof to === 'string' ? to : to.name;
      const id = item.id ?? `msg_${ids.uuid().replaceAll('-', '')}`;
      await service.publish({
        case: 'itemForHomes',
        value: {
          service: 'messages',
          type: HomeItemType.MESSAGE,
          id,
          homes: [{ home, to: [`bea@${home}`] }],
          from: '@ana.ai-helper',
          senderJson: JSON.stringify({
            id: 'ai_1',
            kind: 'ai',
            name: 'Helper',
            name_verified: false,
            status: 'unclaimed',
          }),
          bodyJson: JSON.stringify({ thread: `r:${name}:thr_1`, text: 'Hello', request_kind: 'other' }),
          ...item,
        },
      });
      return id;
    },
    async settled() {
      const events = await service.events('federation', 'homeItemSettled');
      return events.flatMap(({ data: { value } }) => [value, ...value.others]);
    },
    statements: () => statements,
    async restart() {
      await service.stop();
      service = await start();
    },
    run: (job) => service.runJob(`federation: ${job}`),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.stop();
      await database.drop();
    },
  };
}
