import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { internal } from '@hearth/errors';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { peopleSignal } from '@hearth/people';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { type GroupFacts, GroupFactsSchema, GroupsService } from '@hearth/proto/groups/v1/groups';
import { PeopleService, type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { CallerKind } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { messages } from '../src/service.ts';

/** What a test says of somebody. */
export type SomeFacts = Partial<Pick<PersonFacts, 'ageBand' | 'guardians' | 'app'>>;

export interface TestGroup {
  facts: GroupFacts;
  members: Set<string>;
}

export interface TestGroupPosts {
  client: Client<typeof GroupPostsService>;
  clock: ManualClock;
  database: Database;
  newPerson(name: string, facts?: SomeFacts): Caller;
  newAi(owner: Caller): Caller;
  newGroup(handle: string, members: Caller[]): TestGroup;
  groupAiOf(group: TestGroup): Caller;
  /** What identity knows of somebody from now on; null when their account is gone. */
  change(person: Caller, facts: SomeFacts | null): void;
  stop(): Promise<void>;
}

/** Messages as it stands, with stand-ins for identity and groups, for what concerns posts to groups. */
export async function startGroupPosts(): Promise<TestGroupPosts> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-posts-'));
  const clock = manualClock('2026-03-01T12:34:56.789Z');
  const ids = createIds(clock, systemRandom);
  const people = new Map<string, PersonFacts>();
  const groups: TestGroup[] = [];
  const running = await startHome(
    wholeHome([messages, standInIdentity(people), standInGroups(groups)]),
    { DATABASE_URL: databaseFor.url, HEARTH_DATA: dataFolder, HEARTH_HOME: 'hearth.example' },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  return {
    client: running.client(GroupPostsService, 'gateway'),
    clock,
    database,
    newPerson(name, facts = {}) {
      const id = ids.uuid();
      const handle = `p-${ids.token(12).toLowerCase()}`;
      people.set(id, create(PersonFactsSchema, { id, handle, name, ageBand: AgeBand.ADULT, ...facts }));
      const minor = facts.ageBand !== undefined && facts.ageBand !== AgeBand.ADULT;
      return create(CallerSchema, {
        kind: CallerKind.PERSON,
        id,
        address: `@${handle}`,
        name,
        minor,
        via: Via.WEB,
      });
    },
    newAi: (owner) =>
      create(CallerSchema, {
        kind: CallerKind.AI,
        id: ids.uuid(),
        address: `${owner.address}.ai-robin`,
        name: `Robin of ${owner.name}`,
        person: owner.id,
        via: Via.API,
      }),
    newGroup(handle, members) {
      const facts = create(GroupFactsSchema, { id: ids.uuid(), handle, name: handle, app: ids.uuid() });
      const group = { facts, members: new Set(members.map(({ id }) => id)) };
      groups.push(group);
      return group;
    },
    groupAiOf: ({ facts }) =>
      create(CallerSchema, {
        kind: CallerKind.AI,
        id: ids.uuid(),
        group: facts.id,
        address: `&${facts.handle}.ai-group`,
        name: `${facts.handle} AI`,
        via: Via.API,
      }),
    change({ id }, facts) {
      const present = people.get(id);
      if (facts === null || present === undefined) people.delete(id);
      else people.set(id, { ...present, ...facts });
      running.bus.signal(peopleSignal, Buffer.from(id));
    },
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function standIn<S extends object>(known: Partial<S>, name: string): S {
  return new Proxy(known as S, {
    get: (target, method) =>
      Reflect.get(target, method) ??
      (async () => {
        throw internal(`messages calls ${name}.${String(method)}`);
      }),
  });
}

function standInIdentity(people: ReadonlyMap<string, PersonFacts>): ServiceDefinition {
  return {
    name: 'identity',
    async start(host) {
      host.serve(
        PeopleService,
        standIn<Handlers<typeof PeopleService>>(
          {
            findPeople: async ({ ids }) => ({
              results: ids.map((id) => {
                const facts = people.get(id);
                return facts === undefined ? {} : { facts };
              }),
            }),
          },
          'people',
        ),
      );
    },
  };
}

function standInGroups(groups: readonly TestGroup[]): ServiceDefinition {
  const find = (reference: string) =>
    groups.find(({ facts: { id, handle } }) => [id, printId('grp', id), `&${handle}`].includes(reference));
  return {
    name: 'groups',
    async start(host) {
      host.serve(
        GroupsService,
        standIn<Handlers<typeof GroupsService>>(
          {
            async findMembership({ group, person }) {
              const found = find(group);
              return found?.members.has(person) === true ? { group: found.facts } : {};
            },
            findGroups: async ({ ids }) => ({
              results: ids.map((id) => {
                const found = find(id);
                return found === undefined ? {} : { group: found.facts };
              }),
            }),
          },
          'groups',
        ),
      );
    },
  };
}
