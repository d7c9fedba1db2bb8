import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { type HearthError, internal } from '@hearth/errors';
import { type Random, systemRandom } from '@hearth/ids';
import type { Outbox } from '@hearth/outbox';
import {
  ApprovalsService,
  type CountWaitingRequest,
  type RequestKind,
} from '@hearth/proto/approvals/v1/approvals';
import { type FindAcceptedRequest, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import type { Client, Handlers } from '@hearth/rpc';
import { type ServiceDefinition, startHome } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import { generateKeyPair, type KeyPair, parseStrictJson, signRecord } from '@hearth/signing';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { identity } from '../src/service.ts';
import { type FakeGroup, standInGroups } from './groups.ts';

export const home = 'hearth.example';
export const siteUrl = 'https://hearth.example';

/** What the services around identity are told to do, and what they were asked. */
export interface Neighbours {
  /** The home's key, with which federation signs. */
  key: KeyPair;
  /** How often federation signed. */
  signed: number;
  /** What federation and messages fail with, while set. */
  signError: HearthError | undefined;
  countError: HearthError | undefined;
  unread: { count: number; oldest?: { seconds: bigint; nanos: number } };
  /** What approvals counts, and for whom it was asked last. */
  /** uuid of a person -> the kinds that they do not turn away; none where nothing is said. Whom identity asked about. */
  accepts: Map<string, RequestKind[]>;
  acceptedFor: string[];
  asked: { approvals: number; requests: number; oldestApproval?: { seconds: bigint; nanos: number } };
  countedFor: Pick<CountWaitingRequest, 'owner' | 'person'> | undefined;
  /** The groups that there are. */
  groups: FakeGroup[];
  /** How often groups was asked anything. */
  groupQuestions: number;
}

export interface TestIdentity {
  /** Identity as the gateway calls it. */
  client: Client<typeof IdentityService>;
  /** Identity as messages calls it. */
  fromMessages: Client<typeof IdentityService>;
  /** AIs as the gateway calls them. */
  ais: Client<typeof AisService>;
  /** AIs as groups calls them. */
  aisFromGroups: Client<typeof AisService>;
  clock: ManualClock;
  database: Database;
  bus: Bus;
  /** The home's own. */
  sealer: Sealer;
  /** Identity's own. */
  outbox: Outbox;
  neighbours: Neighbours;
  /** Every line that was logged. */
  logged: string[];
  stop(): Promise<void>;
}

export interface TestIdentityOptions {
  random?: Random;
  env?: Record<string, string>;
}

/** Identity as it stands, on a database of its own, called over the real dispatcher, with stand-ins for its peers. */
export async function startIdentity({
  random = systemRandom,
  env = {},
}: TestIdentityOptions = {}): Promise<TestIdentity> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-identity-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const logged: string[] = [];
  const neighbours: Neighbours = {
    key: generateKeyPair(systemRandom),
    signed: 0,
    signError: undefined,
    countError: undefined,
    unread: { count: 0 },
    accepts: new Map(),
    acceptedFor: [],
    asked: { approvals: 0, requests: 0 },
    countedFor: undefined,
    groups: [],
    groupQuestions: 0,
  };
  const clients: Partial<Pick<TestIdentity, 'client' | 'fromMessages' | 'sealer' | 'outbox'>> = {};
  const running = await startHome(
    wholeHome([
      withOutbox(clients),
      standInFederation(neighbours),
      standInMessages(neighbours, clients),
      standInApprovals(neighbours),
      standInGateway(clients),
      standInGroups(neighbours),
    ]),
    {
      DATABASE_URL: databaseFor.url,
      HEARTH_DATA: dataFolder,
      HEARTH_HOME: home,
      HEARTH_SITE_URL: siteUrl,
      ...env,
    },
    {
      clock,
      random,
      log: createLogger({ level: 'debug', service: 'test', stream: { write: (line) => logged.push(line) } }),
    },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  return {
    client: clients.client!,
    fromMessages: clients.fromMessages!,
    ais: running.client(AisService, 'gateway'),
    aisFromGroups: running.client(AisService, 'groups'),
    clock,
    database,
    bus: running.bus,
    sealer: clients.sealer!,
    outbox: clients.outbox!,
    neighbours,
    logged,
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Identity itself, whose outbox a test can write into. */
function withOutbox(clients: Partial<Pick<TestIdentity, 'outbox'>>): ServiceDefinition {
  return {
    ...identity,
    async start(host) {
      clients.outbox = host.outbox;
      await identity.start(host);
    },
  };
}

function standInFederation(neighbours: Neighbours): ServiceDefinition {
  return {
    name: 'federation',
    async start(host) {
      host.serve(FederationService, {
        async sign({ typ, json }) {
          if (neighbours.signError !== undefined) throw neighbours.signError;
          if (typ !== 'svc-card+jws') throw internal('identity has cards signed and nothing else');
          neighbours.signed += 1;
          return {
            signature: signRecord(parseStrictJson(json) as object, { key: neighbours.key, typ }).signature,
          };
        },
        getHomeDocument: async () => ({}),
        signWebhook: async () => {
          throw internal('identity has no webhooks');
        },
      });
    },
  };
}

function standInMessages(neighbours: Neighbours, clients: Partial<TestIdentity>): ServiceDefinition {
  const handlers = new Proxy({} as Handlers<typeof MessagesService>, {
    get: (_, name) => async () => {
      if (name !== 'countUnread') throw internal(`identity calls messages.${String(name)}`);
      if (neighbours.countError !== undefined) throw neighbours.countError;
      return neighbours.unread;
    },
  });
  return {
    name: 'messages',
    async start(host) {
      host.serve(MessagesService, handlers);
      clients.fromMessages = host.peer('identity', IdentityService);
    },
  };
}

function standInApprovals(neighbours: Neighbours): ServiceDefinition {
  const handlers = new Proxy({} as Handlers<typeof ApprovalsService>, {
    get: (_, name) => async (request: CountWaitingRequest) => {
      if (name !== 'countWaiting') throw internal(`identity calls approvals.${String(name)}`);
      neighbours.countedFor = { owner: request.owner, person: request.person };
      return neighbours.asked;
    },
  });
  const rules = new Proxy({} as Handlers<typeof RequestRulesService>, {
    get:
      (_, name) =>
      async ({ people }: FindAcceptedRequest) => {
        if (name !== 'findAccepted') throw internal(`identity calls request rules.${String(name)}`);
        neighbours.acceptedFor.push(...people);
        return { results: people.map((person) => ({ kinds: neighbours.accepts.get(person) ?? [] })) };
      },
  });
  return {
    name: 'approvals',
    async start(host) {
      host.serve(ApprovalsService, handlers);
      host.serve(RequestRulesService, rules);
    },
  };
}

function standInGateway(clients: Partial<TestIdentity>): ServiceDefinition {
  return {
    name: 'gateway',
    async start(host) {
      clients.client = host.peer('identity', IdentityService);
      clients.sealer = host.sealer;
    },
  };
}

export function anyoneFrom(network: string): Caller {
  return create(CallerSchema, { kind: CallerKind.ANONYMOUS, network });
}

export function aiCaller(uuid: string): Caller {
  return create(CallerSchema, { kind: CallerKind.AI, id: uuid });
}

export const operator: Caller = create(CallerSchema, { kind: CallerKind.OPERATOR });
