import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { internal } from '@hearth/errors';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { eventSubject } from '@hearth/outbox';
import { isMinor, peopleSignal, shieldId } from '@hearth/people';
import {
  type Reach,
  type ReachedSchema,
  RequestRulesService,
} from '@hearth/proto/approvals/v1/request_rules';
import { AiStatus, type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService, type PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { messages } from '../src/service.ts';

export interface Correspondence {
  client: Client<typeof MessagesService>;
  clock: ManualClock;
  database: Database;
  newPerson(name: string, facts?: Partial<Pick<PersonFacts, 'ageBand' | 'guardians' | 'app'>>): Caller;
  /** An AI of that person, or of nobody, or of a group. */
  newAi(name: string, of?: { owner?: Caller; group?: string }): Caller;
  /** Lets these people share a group from now on; its uuid. */
  /** Gives an AI another address; the one of before leads nowhere. */
  move(ai: Caller, address: string): Caller;
  newGroup(...people: Caller[]): string;
  leave(group: string, person: Caller): void;
  /** The id under which a viewer sees somebody under 18. */
  shielded(child: Caller, viewer: Caller): string;
  /** How often groups was asked. */
  asked(): number;
  /** How messages reach that person (uuid) from whom they share no group with, and never wrote to. */
  rules: Map<string, Answer>;
  /** What was asked about who reaches whom. */
  reaches: Reach[];
  /** As the service of the requests box calls it. */
  requests: Client<typeof RequestMessagesService>;
  /** What identity says of somebody from now on. */
  change(person: Caller, facts: Partial<PersonFacts>): void;
  publish(data: NonNullable<MessageInitShape<typeof EventSchema>['data']>, type: string): Promise<void>;
  stop(): Promise<void>;
}

/** What approvals answers. */
type Answer = MessageInitShape<typeof ReachedSchema>;

interface World {
  people: Map<string, PersonFacts>;
  ais: Map<string, { caller: Caller; owner: string; group: string }>;
  groups: Map<string, Set<string>>;
  asked: number;
  sealer?: Sealer;
  rules: Map<string, Answer>;
  reaches: Reach[];
}

/** Messages as it stands, with stand-ins that know the people, AIs and groups of a test. */
export async function startCorrespondence(env: Record<string, string> = {}): Promise<Correspondence> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-correspondence-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const ids = createIds(systemClock, systemRandom);
  const world: World = {
    people: new Map(),
    ais: new Map(),
    groups: new Map(),
    asked: 0,
    rules: new Map(),
    reaches: [],
  };
  const running = await startHome(
    wholeHome([messages, standInIdentity(world), standInGroups(world), standInApprovals(world)]),
    { DATABASE_URL: databaseFor.url, HEARTH_DATA: dataFolder, HEARTH_HOME: 'hearth.example', ...env },
    { clock, log: createLogger({ level: 'error', service: 'test' }) },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  let made = 0;

  return {
    client: running.client(MessagesService, 'gateway'),
    clock,
    database,
    newPerson(name, facts = {}) {
      made += 1;
      const handle = `${name.toLowerCase().replaceAll(' ', '-')}-${made}`;
      const known = create(PersonFactsSchema, {
        id: ids.uuid(),
        handle,
        name,
        ageBand: AgeBand.ADULT,
        timeZone: 'UTC',
        ...facts,
      });
      world.people.set(known.id, known);
      return create(CallerSchema, {
        kind: CallerKind.PERSON,
        id: known.id,
        address: `@${handle}`,
        name,
        via: Via.WEB,
        minor: isMinor(known),
      });
    },
    newAi(name, { owner, group = '' } = {}) {
      made += 1;
      const handle = group !== '' ? `&group-${made}` : (owner?.address ?? `@free-${made + 100_000}`);
      const caller = create(CallerSchema, {
        kind: CallerKind.AI,
        id: ids.uuid(),
        address: `${handle}.ai-${name}`,
        name,
        aiStatus: owner !== undefined || group !== '' ? AiStatus.CLAIMED : AiStatus.UNCLAIMED,
        scopes: [Scope.READ, Scope.MESSAGE],
        person: owner?.id ?? '',
        minor: owner?.minor ?? false,
        via: Via.API,
        group,
      });
      world.ais.set(caller.address, { caller, owner: owner?.id ?? '', group });
      return caller;
    },
    move(ai, address) {
      const known = world.ais.get(ai.address)!;
      world.ais.delete(ai.address);
      const caller = create(CallerSchema, { ...ai, address });
      world.ais.set(address, { ...known, caller });
      running.bus.signal('credentials', Buffer.from(ai.id));
      return caller;
    },
    newGroup(...people) {
      const id = ids.uuid();
      world.groups.set(id, new Set(people.map((person) => person.id)));
      return id;
    },
    leave(group, person) {
      world.groups.get(group)!.delete(person.id);
    },
    shielded: (child, viewer) => shieldId(world.sealer!, viewer.app || viewer.person || viewer.id, child.id),
    asked: () => world.asked,
    rules: world.rules,
    reaches: world.reaches,
    requests: running.client(RequestMessagesService, 'approvals'),
    change(person, facts) {
      Object.assign(world.people.get(person.id)!, facts);
      running.bus.signal(peopleSignal, Buffer.from(person.id));
    },
    async publish(data, type) {
      const event = create(EventSchema, {
        id: printId('evt', ids.uuid()),
        at: timestampFromMs(clock.now()),
        data,
      });
      await running.bus.publish({
        subject: eventSubject(type),
        id: ids.uuid(),
        events: [toBinary(EventSchema, event)],
      });
    },
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function standInIdentity(world: World): ServiceDefinition {
  const known: Partial<Handlers<typeof IdentityService>> = {
    findProfiles: async ({ addresses, ids }) => ({
      results: [...addresses, ...ids.map((id) => addressOf(world, id))].map((address) => {
        const profile = aiProfile(world, address) ?? personProfile(world, address);
        return profile === null ? {} : { profile };
      }),
    }),
  };
  const people: Partial<Handlers<typeof PeopleService>> = {
    findPeople: async ({ ids }) => ({
      results: ids.map((id) => (world.people.has(id) ? { facts: world.people.get(id)! } : {})),
    }),
  };
  const ais: Partial<Handlers<typeof AisService>> = {
    findAis: async ({ ids }) => ({
      results: ids.map((id) => {
        const found = [...world.ais.values()].find(({ caller }) => caller.id === id);
        if (found === undefined) return {};
        const { address, name, aiStatus: status } = found.caller;
        return { facts: { id, address, name, status, owner: found.owner } };
      }),
    }),
  };
  return {
    name: 'identity',
    async start(host) {
      world.sealer = host.sealer;
      host.serve(IdentityService, answering('identity', known));
      host.serve(PeopleService, answering('identity', people));
      host.serve(AisService, answering('identity', ais));
    },
  };
}

function addressOf({ ais, people }: World, id: string): string {
  const ai = [...ais].find(([, { caller }]) => caller.id === id);
  return ai?.[0] ?? `@${people.get(id)?.handle ?? ''}`;
}

function aiProfile({ ais, people }: World, address: string) {
  const found = ais.get(address);
  if (found === undefined) return null;
  const { id, name, aiStatus, minor } = found.caller;
  const owner = people.get(found.owner);
  return {
    id,
    address,
    name,
    aiStatus,
    owner: found.owner,
    group: found.group,
    minor,
    ...(minor && { guardians: owner!.guardians, app: owner!.app }),
  };
}

function personProfile({ people }: World, address: string) {
  const facts = [...people.values()].find(({ handle }) => address === `@${handle}`);
  if (facts === undefined) return null;
  const { id, name, guardians, app } = facts;
  return { id, address, name, person: true, minor: isMinor(facts), guardians, app };
}

function standInGroups(world: World): ServiceDefinition {
  const share = (one: string, other: string) =>
    [...world.groups.values()].some((members) => members.has(one) && members.has(other));
  const handlers: Partial<Handlers<typeof GroupsService>> = {
    async shareGroup({ pairs }) {
      world.asked += 1;
      return { share: pairs.map(({ one, other }) => share(one, other)) };
    },
    async findMembership({ group, person }) {
      world.asked += 1;
      return world.groups.get(group)?.has(person) ? { group: { id: group } } : {};
    },
  };
  return {
    name: 'groups',
    async start(host) {
      host.serve(GroupsService, answering('groups', handlers));
    },
  };
}

/** Decides as approvals does, by the rules that a test says. */
function standInApprovals(world: World): ServiceDefinition {
  const shared = (one: string, other: string) =>
    [...world.groups].flatMap(([id, members]) => (members.has(one) && members.has(other) ? [id] : []));
  const share = (one: string, other: string) => shared(one, other).length > 0;
  function reach({ sender, senderPerson, recipient, wroteBefore, family, kind }: Reach): Answer {
    const person = world.people.get(recipient);
    const word = senderPerson === '' ? sender : senderPerson;
    const known = family || person?.guardians.includes(word) || share(word, recipient);
    const rule = world.rules.get(recipient);
    if (rule?.how === 'turned_away') return { kind, ...rule };
    if (known || (wroteBefore && person !== undefined && !isMinor(person)))
      return { how: 'inbox', kind, groups: shared(word, recipient) };
    if (rule !== undefined) return { kind, ...rule };
    return { how: person === undefined || isMinor(person) ? 'turned_away' : 'requests', kind };
  }
  const handlers: Partial<Handlers<typeof RequestRulesService>> = {
    async checkReach({ reaches }) {
      world.reaches.push(...reaches);
      return { reached: reaches.map(reach) };
    },
  };
  return {
    name: 'approvals',
    async start(host) {
      host.serve(RequestRulesService, answering('approvals', handlers));
    },
  };
}

/** Fails for everything that a test does not expect to be asked. */
function answering<H extends object>(service: string, known: Partial<H>): H {
  return new Proxy(known as H, {
    get: (_, name) =>
      known[name as keyof H] ??
      (async () => {
        throw internal(`messages calls ${service}.${String(name)}`);
      }),
  });
}
