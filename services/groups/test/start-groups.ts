import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type DescService, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock, systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { type HearthError, internal } from '@hearth/errors';
import { createIds, type Ids, printId, systemRandom } from '@hearth/ids';
import { createOutbox, eventSubject } from '@hearth/outbox';
import { peopleSignal } from '@hearth/people';
import {
  ApprovalsService,
  type AskJoinRequest,
  type SettleJoinRequest,
} from '@hearth/proto/approvals/v1/approvals';
import {
  type CheckReachRequest,
  type Reach,
  type ReachedSchema,
  RequestRulesService,
} from '@hearth/proto/approvals/v1/request_rules';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { DeliveryService, type SendMailRequest } from '@hearth/proto/delivery/v1/delivery';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { type Group, GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { type AiFacts, AisService, type EnsureGroupAiRequest } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import {
  type CreateGuestRequest,
  PeopleService,
  type PersonFacts,
  PersonFactsSchema,
} from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { archiveEnded } from '../src/groups/jobs/archive-ended.ts';
import { bandOfBirth } from '../src/invites/domain/guest-age.ts';
import { expireInvites, purgeInvites } from '../src/invites/jobs/expire-invites.ts';
import { groups } from '../src/service.ts';

export const { ADULT, TEEN16, TEEN13, CHILD } = AgeBand;

/** What identity knows, and what it was asked. */
export interface StandInIdentity {
  people: Map<string, PersonFacts>;
  groupAis: EnsureGroupAiRequest[];
  guests: CreateGuestRequest[];
  /** Address -> uuid of the owner, empty without one. */
  ais: Map<string, string>;
  /** uuid of each of those AIs. */
  aiId: string;
  /** What is known of AIs by their uuid. */
  aiFacts: Map<string, AiFacts>;
  /** What making a group AI fails with, while set. */
  groupAiError: HearthError | undefined;
}

/** The mails that delivery was given, and what it fails with, while set. */
export interface StandInDelivery {
  mails: SendMailRequest[];
  error: HearthError | undefined;
}

/** What approvals was told of wishes to join and asked about reach, and what it fails with, while set. */
export interface StandInApprovals {
  /** How invites reach people, by their uuid; inbox when nothing is said. */
  reach: Map<string, MessageInitShape<typeof ReachedSchema>>;
  reaches: Reach[];
  asked: AskJoinRequest[];
  settled: SettleJoinRequest[];
  /** uuids */
  cancelled: string[];
  error: HearthError | undefined;
}

export interface TestGroups {
  /** As the gateway calls it. */
  client: Client<typeof GroupsService>;
  invites: Client<typeof InvitesService>;
  /** As the service of the requests box calls it. */
  invitations: Client<typeof InvitationsService>;
  publish(data: NonNullable<MessageInitShape<typeof EventSchema>['data']>, type: string): Promise<void>;
  /** As identity and messages call it. */
  fromIdentity: Client<typeof GroupsService>;
  fromMessages: Client<typeof GroupsService>;
  clock: ManualClock;
  database: Database;
  bus: Bus;
  identity: StandInIdentity;
  post: StandInDelivery;
  approvals: StandInApprovals;
  /** Tells that an approval (uuid) settled, as approvals does. */
  settle(approval: string, status: string, by?: PersonFacts, note?: string): Promise<void>;
  /** uuid of the app that holds people who are made without saying which. */
  app: string;
  ids: Ids;
  uuid(): string;
  newPerson(facts?: MessageInitShape<typeof PersonFactsSchema>): PersonFacts;
  /** Changes what identity says of somebody, and lets everybody know. */
  changePerson(person: PersonFacts, facts: Partial<PersonFacts>): Promise<void>;
  /** The account is gone. */
  deletePerson(person: PersonFacts): Promise<void>;
  newGroup(organizer: PersonFacts, fields?: Record<string, unknown>): Promise<Group>;
  /** Puts somebody into a group, past every rule. */
  put(group: Group, person: PersonFacts, role?: 'organizer' | 'member', guardian?: string): Promise<void>;
  /** Everything that was announced of that group in the order of its seq, or of all. */
  events(group?: Group): Promise<Event[]>;
  /** Runs the job that archives groups whose end has come. */
  archiveEnded(): Promise<void>;
  /** Runs the jobs that end invites whose time is over, and forget those that ended long ago. */
  expireInvites(): Promise<void>;
  stop(): Promise<void>;
}

/** Groups as it stands, on a database of its own, called over the real dispatcher; identity knows whom a test makes. */
export async function startGroups(env: Record<string, string> = {}): Promise<TestGroups> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-groups-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const ids = createIds(systemClock, systemRandom);
  const log = createLogger({ level: 'error', service: 'test' });
  const identity: StandInIdentity = {
    people: new Map(),
    groupAis: [],
    guests: [],
    ais: new Map(),
    aiId: ids.uuid(),
    aiFacts: new Map(),
    groupAiError: undefined,
  };
  const post: StandInDelivery = { mails: [], error: undefined };
  const approvals: StandInApprovals = {
    reach: new Map(),
    reaches: [],
    asked: [],
    settled: [],
    cancelled: [],
    error: undefined,
  };
  const running = await startHome(
    wholeHome([groups, standInIdentity(identity), standInDelivery(post), standInApprovals(approvals)]),
    { DATABASE_URL: databaseFor.url, HEARTH_DATA: dataFolder, HEARTH_HOME: 'hearth.example', ...env },
    { clock, log },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  const app = ids.uuid();
  const client = running.client(GroupsService, 'gateway');
  const outbox = createOutbox({ database, schema: 'groups', bus: running.bus, clock, ids, log });

  async function publish(data: NonNullable<MessageInitShape<typeof EventSchema>['data']>, type: string) {
    const event = create(EventSchema, { id: printId('evt', ids.uuid()), data });
    await running.bus.publish({
      subject: eventSubject(type),
      id: ids.uuid(),
      events: [toBinary(EventSchema, event)],
    });
  }

  let names = 0;
  return {
    client,
    invites: running.client(InvitesService, 'gateway'),
    invitations: running.client(InvitationsService, 'approvals'),
    publish,
    fromIdentity: running.client(GroupsService, 'identity'),
    fromMessages: running.client(GroupsService, 'messages'),
    clock,
    database,
    bus: running.bus,
    identity,
    post,
    approvals,
    async settle(approval, status, by, note = '') {
      const value = {
        approval: printId('apr', approval),
        status,
        kind: 'join_request',
        answeredBy: by?.id ?? '',
        note,
      };
      await publish({ case: 'approvalSettled', value }, 'approval_settled');
    },
    app,
    ids,
    uuid: ids.uuid,
    newPerson(facts = {}) {
      names += 1;
      const person = create(PersonFactsSchema, {
        id: ids.uuid(),
        handle: `person-${names}`,
        name: `Ada Lovelace ${names}`,
        ageBand: ADULT,
        app,
        timeZone: 'Europe/Zurich',
        consentAge: 16,
        ...facts,
      });
      identity.people.set(person.id, person);
      return person;
    },
    async changePerson(person, facts) {
      Object.assign(person, facts);
      running.bus.signal(peopleSignal, Buffer.from(person.id));
      await publish({ case: 'personChanged', value: { person: { id: person.id } } }, 'person_changed');
    },
    async deletePerson(person) {
      identity.people.delete(person.id);
      running.bus.signal(peopleSignal, Buffer.from(person.id));
      await publish({ case: 'accountDeleted', value: { deleted: [person.id] } }, 'account_deleted');
    },
    async newGroup(organizer, fields = {}) {
      const caller = as(organizer, organizer.app || app);
      return await client.createGroup({ name: 'Book club', ...fields }, { caller });
    },
    async put(group, person, role = 'member', guardian) {
      const bands = { [ADULT]: 'adult', [TEEN16]: 'teen16', [TEEN13]: 'teen13', [CHILD]: 'child' };
      const band = bands[person.ageBand as keyof typeof bands];
      await database.statement((tx) =>
        tx.execute({
          text: `
            insert into groups.members ("group", person, role, joined_at, via, age_band, app, guardian)
            values ($1, $2, $3, $4, 'link', $5, $6, $7)`,
          values: [
            uuidOf(group.id),
            person.id,
            role,
            new Date(clock.now()),
            band,
            person.app || null,
            guardian ?? null,
          ],
        }),
      );
    },
    async events(group) {
      const rows = await database.db.query<{ event: Buffer }>({
        text: `select event from groups.outbox order by created_at, id`,
      });
      const all = rows.map(({ event }) => fromBinary(EventSchema, event));
      if (group === undefined) return all;
      const own = all.filter((event) => groupOf(event) === uuidOf(group.id));
      // Ids made within one millisecond are in no order.
      return own.sort((one, other) => Number(seqOf(one) - seqOf(other)));
    },
    archiveEnded: () => archiveEnded({ clock, database, outbox }),
    async expireInvites() {
      const people = {
        findOne: async (id: string) => identity.people.get(id) ?? null,
        find: async (ids: Iterable<string>) =>
          new Map([...ids].flatMap((id) => [...identity.people].filter(([known]) => known === id))),
      };
      await expireInvites({ clock, database, outbox, people });
      await purgeInvites({ clock, database });
    },
    async stop() {
      await outbox.drain();
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

function groupOf({ data }: Event): string | undefined {
  const value = data.value as { group?: { id: string } } | undefined;
  return value?.group?.id;
}

function seqOf({ data }: Event): bigint {
  return (data.value as { seq?: bigint } | undefined)?.seq ?? 0n;
}

function standInIdentity(known: StandInIdentity): ServiceDefinition {
  return {
    name: 'identity',
    async start(host) {
      host.serve(
        PeopleService,
        answering<typeof PeopleService>({
          async findPeople({ ids, handles, emails }: Record<'ids' | 'handles' | 'emails', string[]>) {
            const byHandle = new Map([...known.people.values()].map((facts) => [facts.handle, facts]));
            const byEmail = new Map([...known.people.values()].map((facts) => [facts.email, facts]));
            const found = [
              ...ids.map((id) => known.people.get(id)),
              ...handles.map((one) => byHandle.get(one)),
              ...emails.map((one) => byEmail.get(one)),
            ];
            return { results: found.map((facts) => (facts === undefined ? {} : { facts })) };
          },
          async createGuest(request: CreateGuestRequest) {
            const { id, name, app, birthYearMonth } = request;
            known.guests.push(request);
            const ageBand = bandOfBirth(birthYearMonth, new Date('2026-03-01T12:00:00Z'));
            const handle = `guest-${known.guests.length}`;
            const facts = create(PersonFactsSchema, {
              id,
              handle,
              name,
              app,
              guest: true,
              ageBand,
              consentAge: 16,
            });
            known.people.set(id, facts);
            return { facts, sessionToken: `hearth_ps_${'x'.repeat(43)}` };
          },
        }),
      );
      host.serve(
        IdentityService,
        answering<typeof IdentityService>({
          async findProfiles({ addresses }: { addresses: string[] }) {
            const byAddress = new Map([...known.people.values()].map((facts) => [`@${facts.handle}`, facts]));
            return {
              results: addresses.map((address) => {
                const facts = byAddress.get(address);
                if (facts !== undefined) return { profile: { address, person: true, id: facts.id } };
                const owner = known.ais.get(address);
                return owner === undefined ? {} : { profile: { address, id: known.aiId, owner } };
              }),
            };
          },
        }),
      );
      host.serve(
        AisService,
        answering<typeof AisService>({
          async ensureGroupAi(request: EnsureGroupAiRequest) {
            if (known.groupAiError !== undefined) throw known.groupAiError;
            known.groupAis.push(request);
            return { address: `&${request.handle}.ai-group` };
          },
          async findAis({ ids }: { ids: string[] }) {
            return {
              results: ids.map((id) => {
                const facts = known.aiFacts.get(id);
                return facts === undefined ? {} : { facts };
              }),
            };
          },
        }),
      );
    },
  };
}

function standInDelivery(post: StandInDelivery): ServiceDefinition {
  return {
    name: 'delivery',
    async start(host) {
      host.serve(
        DeliveryService,
        answering<typeof DeliveryService>({
          async sendMail(request: SendMailRequest) {
            if (post.error !== undefined) throw post.error;
            post.mails.push(request);
            return {};
          },
        }),
      );
    },
  };
}

function standInApprovals(told: StandInApprovals): ServiceDefinition {
  const refuse = () => {
    if (told.error !== undefined) throw told.error;
  };
  return {
    name: 'approvals',
    async start(host) {
      host.serve(
        RequestRulesService,
        answering<typeof RequestRulesService>({
          async checkReach({ reaches }: CheckReachRequest) {
            refuse();
            told.reaches.push(...reaches);
            return { reached: reaches.map(({ recipient }) => told.reach.get(recipient) ?? { how: 'inbox' }) };
          },
        }),
      );
      host.serve(
        ApprovalsService,
        answering<typeof ApprovalsService>({
          async askJoin(request: AskJoinRequest) {
            refuse();
            told.asked.push(request);
            return {};
          },
          async settleJoin(request: SettleJoinRequest) {
            refuse();
            told.settled.push(request);
            return {};
          },
          async cancelJoin({ id }: { id: string }) {
            refuse();
            told.cancelled.push(id);
            return {};
          },
        }),
      );
    },
  };
}

/** These handlers; whatever else groups called would fail the test. */
function answering<S extends DescService>(handlers: object): Handlers<S> {
  return new Proxy(handlers, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (async () => {
        throw internal(`groups calls ${String(name)}`);
      }),
  }) as Handlers<S>;
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

/** An AI of theirs. */
export function aiOf(person: PersonFacts, ai: string): Caller {
  return create(CallerSchema, {
    kind: CallerKind.AI,
    id: ai,
    person: person.id,
    address: `@${person.handle}.ai-helper`,
    name: 'Helper',
    scopes: everything,
    via: Via.API,
  });
}

export function groupAi(group: Group): Caller {
  return create(CallerSchema, {
    kind: CallerKind.AI,
    id: uuidOf(group.groupAi),
    group: uuidOf(group.id),
    scopes: everything,
    via: Via.API,
  });
}

export function appAlone(app: string): Caller {
  return create(CallerSchema, { kind: CallerKind.APP, id: app, app, via: Via.APP });
}

export const operator: Caller = create(CallerSchema, { kind: CallerKind.OPERATOR });
