import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { eventSubject } from '@hearth/outbox';
import { peopleSignal } from '@hearth/people';
import {
  type Approval,
  ApprovalsService,
  type AskApprovalRequestSchema,
} from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { AiStatus, type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { type GroupFacts, GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import { type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Client } from '@hearth/rpc';
import { startHome } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { approvals } from '../src/service.ts';
import { emptyWorld, standIns, type World } from './stand-ins.ts';

export const { ADULT, TEEN16, TEEN13, CHILD } = AgeBand;

export interface TestApprovals {
  /** As the gateway calls it. */
  client: Client<typeof ApprovalsService>;
  fromGroups: Client<typeof ApprovalsService>;
  fromIdentity: Client<typeof ApprovalsService>;
  rules: Client<typeof RequestRulesService>;
  /** As messages and other services ask who reaches whom. */
  fromMessages: Client<typeof RequestRulesService>;
  requests: Client<typeof RequestsService>;
  clock: ManualClock;
  database: Database;
  bus: Bus;
  world: World;
  /** By which people under 18 are shielded here. */
  sealer: Sealer;
  /** uuid of the app that holds people who are made without saying which. */
  app: string;
  uuid(): string;
  newPerson(facts?: MessageInitShape<typeof PersonFactsSchema>): PersonFacts;
  /** An AI that nobody owns, or one of that person. */
  newAi(owner?: PersonFacts, fields?: MessageInitShape<typeof CallerSchema>): Caller;
  newGroup(...members: PersonFacts[]): GroupFacts;
  ask(caller: Caller, request: MessageInitShape<typeof AskApprovalRequestSchema>): Promise<Approval>;
  publish(data: NonNullable<MessageInitShape<typeof EventSchema>['data']>, type: string): Promise<void>;
  /** Everything that was announced, in order, of that case. */
  events<Case extends Event['data']['case']>(
    type: Case,
  ): Promise<{ value: Extract<Event['data'], { case: Case }>['value']; event: Event }[]>;
  stop(): Promise<void>;
}

/** Approvals as it stands, on a database of its own, called over the real dispatcher; the others know what a test makes. */
export async function startApprovals(env: Record<string, string> = {}): Promise<TestApprovals> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-approvals-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const ids = createIds(systemClock, systemRandom);
  const world = emptyWorld();
  const running = await startHome(
    wholeHome([approvals, ...standIns(world)]),
    {
      DATABASE_URL: databaseFor.url,
      HEARTH_DATA: dataFolder,
      HEARTH_HOME: 'localhost:8080',
      HEARTH_SITE_URL: 'http://localhost:8080',
      ...env,
    },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  const app = ids.uuid();
  const client = running.client(ApprovalsService, 'gateway');

  let names = 0;
  return {
    client,
    fromGroups: running.client(ApprovalsService, 'groups'),
    fromIdentity: running.client(ApprovalsService, 'identity'),
    rules: running.client(RequestRulesService, 'gateway'),
    fromMessages: running.client(RequestRulesService, 'messages'),
    requests: running.client(RequestsService, 'gateway'),
    clock,
    database,
    bus: running.bus,
    world,
    sealer: world.sealer!,
    app,
    uuid: ids.uuid,
    newPerson(facts = {}) {
      names += 1;
      const person = create(PersonFactsSchema, {
        id: ids.uuid(),
        handle: `person-${names}`,
        name: `Ada Lovelace ${names}`,
        ageBand: ADULT,
        app,
        ...facts,
      });
      world.people.set(person.id, person);
      running.bus.signal(peopleSignal, Buffer.from(person.id));
      return person;
    },
    newAi(owner, fields = {}) {
      names += 1;
      const ai = create(CallerSchema, {
        kind: CallerKind.AI,
        id: ids.uuid(),
        address: owner === undefined ? `@free-abc${names}.ai-robin` : `@${owner.handle}.ai-robin-${names}`,
        name: `Robin ${names}`,
        aiStatus: owner === undefined ? AiStatus.UNCLAIMED : AiStatus.CLAIMED,
        scopes: [Scope.READ, Scope.MESSAGE],
        person: owner?.id ?? '',
        via: Via.API,
        minor: owner !== undefined && owner.ageBand !== ADULT,
        ...fields,
      });
      world.ais.set(ai.address, ai);
      return ai;
    },
    newGroup(...members) {
      names += 1;
      const facts = create(GroupFactsSchema, {
        id: ids.uuid(),
        handle: `group-${names}`,
        name: `Book club ${names}`,
        app,
      });
      world.groups.set(facts.id, { facts, members: new Set(members.map(({ id }) => id)) });
      return facts;
    },
    ask: (caller, request) => client.askApproval({ title: 'May I?', ...request }, { caller }),
    async publish(data, type) {
      const event = create(EventSchema, { id: printId('evt', ids.uuid()), data });
      await running.bus.publish({
        subject: eventSubject(type),
        id: ids.uuid(),
        events: [toBinary(EventSchema, event)],
      });
    },
    async events(type) {
      const rows = await database.db.query<{ event: Buffer }>({
        text: `select event from approvals.outbox order by created_at, id`,
      });
      const all = rows.map(({ event }) => fromBinary(EventSchema, event));
      return all
        .filter(({ data }) => data.case === type)
        .map((event) => ({ event, value: event.data.value as never }));
    },
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

export function uuidOf(printed: string): string {
  const hex = printed.slice(printed.indexOf('_') + 1);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const per = (person: PersonFacts): string => printId('per', person.id);

const everything = [Scope.READ, Scope.NOTES, Scope.MESSAGE, Scope.GROUP, Scope.INVITE, Scope.APPROVE];

/** A person, by the app that holds them; `app` empty for one who signed in on the home's own pages. */
export function as(person: PersonFacts, app = person.app): Caller {
  return create(CallerSchema, {
    kind: CallerKind.PERSON,
    id: person.id,
    app,
    address: `@${person.handle}`,
    name: person.name,
    scopes: everything,
    via: app === '' ? Via.WEB : Via.APP,
    minor: person.ageBand !== ADULT,
  });
}

/** The same AI with more permissions. */
export function withScopes(ai: Caller, ...scopes: Scope[]): Caller {
  return create(CallerSchema, { ...ai, scopes: [...ai.scopes, ...scopes] });
}

export function appAlone(app: string): Caller {
  return create(CallerSchema, { kind: CallerKind.APP, id: app, app, via: Via.APP });
}

/** Resolves once `look` is true; fails after five seconds. */
export async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 250; tries += 1) {
    if (await look()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not happen within five seconds');
}
