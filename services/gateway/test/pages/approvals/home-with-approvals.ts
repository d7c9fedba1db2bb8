import { create, type DescService } from '@bufbuild/protobuf';
import { createMemoryCache } from '@hearth/cache';
import { unauthenticated } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { createLimiter, readLimits, sizesOf } from '@hearth/limits';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { CallerSchema, Proof } from '@hearth/proto/common/v1/caller';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { CallerKind } from '@hearth/proto/options';
import { createReader } from '@hearth/proto-json';
import { type Caller, createClient, createDispatcher, createLocalChannel } from '@hearth/rpc';
import { createSealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { digestOf } from '../../../src/credentials/credential.ts';
import { createApp } from '../../../src/http/app.ts';
import { createFail } from '../../../src/http/failure.ts';
import { createNetwork } from '../../../src/http/network.ts';
import { createObserve } from '../../../src/http/observe.ts';
import { listen } from '../../../src/http/server.ts';
import { createRates } from '../../../src/limits/rates.ts';
import { createAddPeoplePage } from '../../../src/pages/people-page.ts';
import { addApprovalPages, peersOfApprovalPages } from '../../../src/request-pages/module.ts';
import { createSessions } from '../../../src/sessions/module.ts';
import { addOthers } from '../../support/peers.ts';
import { adaId, clock, graceId, type Served, serves } from '../home-with-people.ts';
import { type Visitor, visitor } from '../visitor.ts';

export const siteUrl = 'http://localhost:8080';

const tokenOf = (letter: string) => `hearth_ps_${letter.repeat(43)}`;
const ada: Partial<Caller> = {
  ...{ kind: CallerKind.PERSON, id: adaId, address: '@ada', name: 'Ada Lovelace', session: 'session-a' },
  ...{ proof: Proof.EMAIL, authenticatedAt: BigInt(clock.now() - 60 * 60_000) },
};
const grace: Partial<Caller> = {
  ...{
    kind: CallerKind.PERSON,
    id: graceId,
    address: graceId,
    name: 'Grace',
    session: 'session-g',
    guest: true,
  },
};
const callers = new Map([
  [tokenOf('a'), ada],
  [tokenOf('g'), grace],
]);

export interface HomeWithApprovals {
  ada: Visitor;
  /** A guest. */
  grace: Visitor;
  stranger(): Visitor;
  /** What was logged, a JSON line each. */
  lines: string[];
  /** Lets Ada see a page once by a token, without a session. */
  letAdaSee(token: string, path: string): void;
  stop(): Promise<void>;
}

const asked: readonly DescService[] = [
  ApprovalsService,
  RequestsService,
  RequestRulesService,
  RecordsService,
  AisService,
  PeopleService,
];

/** The pages of asks as the gateway serves them, before services that are stood in for. */
export async function startHomeWithApprovals(others: readonly Served[]): Promise<HomeWithApprovals> {
  const lines: string[] = [];
  const byLink = new Map<string, Partial<Caller>>();
  const stream = { write: (line: string) => lines.push(line) };
  const log = createLogger({ level: 'debug', service: 'gateway', stream });
  const ids = createIds(clock, systemRandom);
  const cache = createMemoryCache({ clock, maxEntries: 1_000 });
  const limits = readLimits({ reads_a_minute: null, writes_a_minute: null }, { homeName: 'localhost' });
  const limiter = createLimiter({ limits, cache, clock, prefix: 'test:' });
  const dispatcher = createDispatcher({
    clock,
    onUnexpected: (error) => log.error({ err: error }, 'failed'),
  });
  const rest = asked.filter((service) => !others.some(([given]) => given === service));
  addOthers(dispatcher, [...others, ...rest.map((service) => serves(service, {}))]);
  const channel = createLocalChannel(dispatcher, clock.now);
  const peer = <S extends DescService>(service: S) =>
    createClient(service, { channel, service: 'gateway', clock });

  const fail = createFail({ siteUrl, clock, ids, log });
  const observe = createObserve(log);
  const sessions = createSessions({
    credentials: {
      async resolve(given) {
        const caller = callers.get(given);
        if (caller === undefined) throw unauthenticated('no');
        return { digest: digestOf(given), key: given, caller: create(CallerSchema, caller as Caller) };
      },
    },
    network: createNetwork(),
    sealer: createSealer(Buffer.from(systemRandom.bytes(32)).toString('base64url'), systemRandom),
    ids,
    clock,
    siteUrl,
  });
  const rates = createRates({ limiter, limits, clock });
  const app = createApp({
    api: () => false,
    connections: { draining: false },
    addPages: (pages) => {
      const about = {
        home: 'localhost:8080',
        requests: true,
        sessions,
        openLink: async (token: string, path: string) => {
          const person = byLink.get(`${token} ${path}`);
          byLink.delete(`${token} ${path}`);
          return person === undefined ? null : create(CallerSchema, person as Caller);
        },
        rates,
        maxBodyBytes: 65_536,
        clock,
        ids,
        log,
        observe,
      };
      addApprovalPages({
        addPage: createAddPeoplePage({ app: pages, ...about }),
        peers: peersOfApprovalPages({ peer: (_name, service) => peer(service) }),
        reader: createReader({ bounds: sizesOf(limits) }),
        clock,
        siteUrl,
      });
    },
    fail,
    observe,
  });
  const server = await listen(app, { port: 0, address: '127.0.0.1' });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    ada: visitor(url, { hearth_session: tokenOf('a') }),
    grace: visitor(url, { hearth_session: tokenOf('g') }),
    stranger: () => visitor(url),
    lines,
    letAdaSee: (token, path) => {
      byLink.set(`${token} ${path}`, { ...ada, session: '', authenticatedAt: 0n });
    },
    async stop() {
      await server.drain(1_000);
      await cache.close();
    },
  };
}
