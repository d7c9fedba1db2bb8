import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { type ManualClock, manualClock, nowDate } from '@hearth/clock';
import { type Database, openDatabase, sql } from '@hearth/db';
import { type HearthError, internal } from '@hearth/errors';
import { createIds, type Ids, parseId, systemRandom } from '@hearth/ids';
import { shieldId } from '@hearth/people';
import { type Caller, CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import {
  type DropPersonResponseSchema,
  GroupsService,
  type ListGroupIdsResponseSchema,
} from '@hearth/proto/groups/v1/groups';
import { type CreatePersonRequestSchema, PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Person } from '@hearth/proto/identity/v1/resources';
import { type ListContactsResponseSchema, MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type Home, type ServiceDefinition, startHome } from '@hearth/runtime';
import { createSealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import type { PeopleContext } from '../src/people/context.ts';
import { createPeopleContext } from '../src/people/module.ts';
import { identity } from '../src/service.ts';

/** What the services around identity are told to answer, and what they were asked. */
export interface Around {
  /** uuids of two people who share a group, as "one other". */
  sharing: Set<string>;
  groupsOf: Map<string, MessageInitShape<typeof ListGroupIdsResponseSchema>>;
  contactsOf: Map<string, MessageInitShape<typeof ListContactsResponseSchema>>;
  /** What DropPerson answers for each person, and fails with while set. */
  drops: Map<string, MessageInitShape<typeof DropPersonResponseSchema>>;
  dropError: HearthError | undefined;
  /** uuids of the people who were dropped, in order. */
  dropped: string[];
}

export interface TestPeople {
  /** As the gateway calls it. */
  client: Client<typeof PeopleService>;
  /** As the groups service calls it. */
  fromGroups: Client<typeof PeopleService>;
  /** What the rpcs and jobs about people work with. */
  context: PeopleContext;
  home: Home;
  clock: ManualClock;
  ids: Ids;
  database: Database;
  around: Around;
  /** Signals that were sent: "people <uuid>", "credentials <uuid>". */
  signalled: string[];
  /** The id under which that viewer (uuid) knows somebody under 18. */
  shieldedFor(viewer: string, person: string): string;
  logged: string[];
  stop(): Promise<void>;
}

const sealKey = Buffer.alloc(32, 7).toString('base64url');

export const start = '2026-03-01T12:00:00.000Z';

/** Identity as it stands, on a database of its own, with stand-ins for its peers. */
export async function startPeople(env: Record<string, string> = {}): Promise<TestPeople> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-people-'));
  const clock = manualClock(start);
  const logged: string[] = [];
  const signalled: string[] = [];
  const around: Around = {
    sharing: new Set(),
    groupsOf: new Map(),
    contactsOf: new Map(),
    drops: new Map(),
    dropError: undefined,
    dropped: [],
  };
  let context: PeopleContext | undefined;
  const withContext: ServiceDefinition = {
    ...identity,
    async start(host) {
      await identity.start(host);
      context = createPeopleContext(host);
    },
  };
  const home = await startHome(
    wholeHome([withContext, standInGroups(around), standInMessages(around)]),
    {
      DATABASE_URL: databaseFor.url,
      HEARTH_DATA: dataFolder,
      HEARTH_HOME: 'hearth.example',
      HEARTH_SITE_URL: 'https://hearth.example',
      HEARTH_SEAL_KEY: sealKey,
      HEARTH_TIME_ZONE: 'Europe/Zurich',
      HEARTH_CONSENT_AGES: '{"default":16,"US":13,"AT":14}',
      ...env,
    },
    {
      clock,
      log: createLogger({ level: 'warn', service: 'test', stream: { write: (line) => logged.push(line) } }),
    },
  );
  for (const subject of ['people', 'credentials']) {
    home.bus.onSignal(subject, (payload) => signalled.push(`${subject} ${Buffer.from(payload)}`));
  }
  const sealer = createSealer(sealKey, systemRandom);
  const database = openDatabase({ url: databaseFor.url, clock });
  return {
    client: home.client(PeopleService, 'gateway'),
    fromGroups: home.client(PeopleService, 'groups'),
    context: context!,
    home,
    clock,
    ids: createIds(clock, systemRandom),
    database,
    around,
    signalled,
    shieldedFor: (viewer, person) => shieldId(sealer, viewer, person),
    logged,
    async stop() {
      await database.close();
      await home.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function standInGroups(around: Around): ServiceDefinition {
  const handlers: Partial<Handlers<typeof GroupsService>> = {
    shareGroup: async ({ pairs }) => ({
      share: pairs.map(({ one, other }) => around.sharing.has(`${one} ${other}`)),
    }),
    findMembership: async ({ group, person }) =>
      around.sharing.has(`${group} ${person}`) ? { group: { id: group } } : {},
    listGroupIds: async ({ person }) => around.groupsOf.get(person) ?? {},
    async dropPerson({ person }) {
      if (around.dropError !== undefined) throw around.dropError;
      around.dropped.push(person);
      return around.drops.get(person) ?? {};
    },
  };
  return {
    name: 'groups',
    async start(host) {
      host.serve(GroupsService, answering('groups', handlers));
    },
  };
}

function standInMessages(around: Around): ServiceDefinition {
  const handlers: Partial<Handlers<typeof MessagesService>> = {
    listContacts: async ({ owner }) => around.contactsOf.get(owner) ?? {},
  };
  return {
    name: 'messages',
    async start(host) {
      host.serve(MessagesService, answering('messages', handlers));
    },
  };
}

function answering<H extends object>(service: string, handlers: Partial<H>): H {
  return new Proxy(handlers as H, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (async () => {
        throw internal(`identity calls ${service}.${String(name)}`);
      }),
  });
}

export interface TestApp {
  uuid: string;
  /** The app's own key. */
  caller: Caller;
  /** The app acting for a person. */
  actingFor(person: string): Caller;
}

/** An app of the home. */
export async function newApp(
  { database, ids, clock }: TestPeople,
  { minors = true }: { minors?: boolean } = {},
): Promise<TestApp> {
  const uuid = ids.uuid();
  await database.statement((tx) =>
    tx.execute(sql`
      insert into identity.apps (id, name, contact_email, minors, signing_secret, created_at)
      values (${uuid}, 'App', 'app@example.org', ${minors}, ${Buffer.alloc(1)}, ${nowDate(clock)})`),
  );
  return {
    uuid,
    caller: create(CallerSchema, { kind: CallerKind.APP, id: uuid, app: uuid, name: 'App', via: Via.APP }),
    actingFor: (person) =>
      create(CallerSchema, {
        kind: CallerKind.PERSON,
        id: person,
        app: uuid,
        via: Via.APP,
        proof: Proof.TAP,
      }),
  };
}

export interface TestPerson {
  uuid: string;
  /** per_... */
  id: string;
  handle: string;
  person: Person;
  /** Signed in on the home's own pages, a moment ago. */
  web(options?: Partial<Pick<Caller, 'guest' | 'minor'>> & { authenticatedAt?: number }): Caller;
}

/** Somebody held by that app; an adult unless said otherwise. */
export async function newPerson(
  { client, clock }: TestPeople,
  app: TestApp,
  wanted: MessageInitShape<typeof CreatePersonRequestSchema> = {},
): Promise<TestPerson> {
  const person = await client.createPerson(
    {
      name: 'Ann Smith',
      ...(wanted.birthYearMonth === undefined && { ageBand: AgeBand.ADULT }),
      ...wanted,
    },
    { caller: app.caller },
  );
  const uuid = parseId('per', person.id)!;
  return {
    uuid,
    id: person.id,
    handle: person.handle!,
    person,
    web: ({ authenticatedAt = clock.now(), ...rest } = {}) =>
      webCaller(uuid, { authenticatedAt, minor: person.ageBand !== AgeBand.ADULT, ...rest }),
  };
}

export function webCaller(
  uuid: string,
  {
    authenticatedAt = 0,
    ...rest
  }: Partial<Pick<Caller, 'guest' | 'minor'>> & { authenticatedAt?: number } = {},
): Caller {
  return create(CallerSchema, {
    kind: CallerKind.PERSON,
    id: uuid,
    session: uuid,
    via: Via.WEB,
    proof: Proof.PASSKEY,
    authenticatedAt: BigInt(authenticatedAt),
    ...rest,
  });
}

/** An AI of a person. */
export function aiOf(person: string, ai = person): Caller {
  return create(CallerSchema, { kind: CallerKind.AI, id: ai, person, via: Via.API });
}

/** What was announced of that type since the start, the oldest first. */
export async function announced<Case extends NonNullable<Event['data']['case']>>(
  { database }: TestPeople,
  type: Case,
): Promise<(Event & { data: Extract<Event['data'], { case: Case }> })[]> {
  const rows = await database.db.query<{ event: Buffer }>(
    sql`select event from identity.outbox order by created_at, id`,
  );
  const events = rows.map(({ event }) => fromBinary(EventSchema, event));
  return events.filter((event) => event.data.case === type) as never;
}

/** Why a call failed: its kind and code. */
export async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    const { kind, details } = error as HearthError;
    return `${kind} ${details?.code}`;
  }
}

/** The words with which a call fails. */
export async function words(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Resolves once that signal was heard; signals travel apart from answers. */
export async function heard({ signalled }: TestPeople, signal: string): Promise<void> {
  for (let tries = 0; !signalled.includes(signal); tries += 1) {
    if (tries === 200) throw new Error(`${signal} was not heard`);
    await sleep(10);
  }
}
