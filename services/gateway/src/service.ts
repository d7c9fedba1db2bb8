import { second } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import { sizeOf, sizesOf } from '@hearth/limits';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { GatewayService } from '@hearth/proto/gateway/v1/gateway';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { createReader, loadComments } from '@hearth/proto-json';
import type { Host, ServiceDefinition } from '@hearth/runtime';
import { paths } from '@hearth/web';
import { addPeoplesPages, peersOfPages } from './account-pages/module.ts';
import { createCalls } from './calls/module.ts';
import { createCredentials, createFindAsker } from './credentials/module.ts';
import { addPages, createAddPage, createHomeDocument } from './documents/module.ts';
import { createElsewhere, createHolds } from './hold/module.ts';
import {
  type Connections,
  createApp,
  createFail,
  createNetwork,
  createObserve,
  createShowFailure,
  type HttpServer,
  listen,
} from './http/module.ts';
import { createSeen } from './last-seen/module.ts';
import { createRates, limitsHandler } from './limits/module.ts';
import { createMcp } from './mcp/module.ts';
import { createOAuth } from './oauth/module.ts';
import { readOperations } from './operations/module.ts';
import { createAddPeoplePage, createOpenLink, sendNotFoundPage } from './pages/module.ts';
import { addApprovalPages, peersOfApprovalPages } from './request-pages/module.ts';
import { createApi, createRoutes } from './rest/module.ts';
import { createSessions } from './sessions/module.ts';
import { addSignInPages, takesPasskeys } from './sign-in-pages/module.ts';

/** How long requests in hand may take once the process drains. */
const drainMs = 10 * second;
const flushSeenMs = 10 * second;

/** The home's way in: REST from the declared operations, documents, pages, probes. It owns no data. */
export async function startGateway(host: Host): Promise<HttpServer> {
  const { bus, clock, config, ids, limiter, limits, log, operatorKey, sealer } = host;
  const identity = host.peer('identity', IdentityService);
  const operations = readOperations();

  host.serve(GatewayService, { limits: limitsHandler({ limiter, limits }) });

  const fail = createFail({ siteUrl: config.siteUrl, clock, ids, log });
  const observe = createObserve(log);
  const connections: Connections = { draining: false };
  const rates = createRates({ limiter, limits, clock });
  const holds = createHolds({
    delivery: host.peer('delivery', DeliveryService),
    clock,
    log,
    elsewhere: createElsewhere(bus, ids.uuid()),
    signalsTravel: () => bus.health().ok,
  });
  host.onStop(async () => holds.close());
  const credentials = createCredentials({
    identity,
    bus,
    clock,
    operatorKey,
    // Who was switched off, or lost a key, is not answered over a request that was held before.
    onForgotten: holds.askAgain,
  });
  host.onStop(() => credentials.stop());
  const seen = createSeen({ identity, clock, log });
  host.every('flush seen', flushSeenMs, seen.flush);
  const homeDocument = createHomeDocument({ federation: host.peer('federation', FederationService), clock });

  const network = createNetwork(config.trustedProxies);
  const sessions = createSessions({ credentials, network, sealer, ids, clock, siteUrl: config.siteUrl });

  const reader = createReader({ bounds: sizesOf(limits) });
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks });
  host.onStop(() => http.close());
  const oauth = createOAuth({ host, limiter, network, http, observe });

  const findAsker = createFindAsker({
    credentials,
    rates,
    network,
    audiences: [config.siteUrl, `${config.siteUrl}/v0`],
  });
  const api = createApi({
    routes: createRoutes(operations, host.peer, {
      maxBodyBytes: sizeOf(limits, 'body_bytes'),
      reader,
    }),
    findAsker,
    calls: createCalls({ findAsker, rates, holds, seen }),
    connections,
    fail,
    observe,
  });
  const mcp = createMcp({
    host,
    operations,
    findAsker: createFindAsker({
      credentials,
      rates,
      network,
      audiences: [config.siteUrl, `${config.siteUrl}${paths.mcp}`],
    }),
    rates,
    holds,
    seen,
    reader,
    connections,
    showFailure: createShowFailure({ ids, log }),
    observe,
  });
  host.onStop(() => mcp.close());
  const { home, siteUrl } = config;
  const app = createApp({
    api: (request, response) => api(request, response) || mcp.endpoint(request, response),
    connections,
    addPages: (pages) => {
      const maxBodyBytes = sizeOf(limits, 'body_bytes');
      const openLink = createOpenLink(host.peer('delivery', LinksService));
      const about = { home, sessions, openLink, rates, maxBodyBytes, clock, ids, log, observe };
      const addPage = createAddPeoplePage({ app: pages, requests: true, ...about });
      oauth.addTo(pages, addPage);
      addSignInPages({
        addPage,
        signIn: host.peer('identity', SignInService),
        sessions,
        clock,
        passkeys: takesPasskeys(siteUrl),
      });
      addApprovalPages({ addPage, peers: peersOfApprovalPages(host), reader, clock, siteUrl });
      addPeoplesPages({
        addPage,
        peers: peersOfPages(host),
        reader,
        rates,
        sessions,
        clock,
        siteUrl,
        passkeys: takesPasskeys(siteUrl),
        days: {
          handleChange: sizeOf(limits, 'handle_change_days'),
          oldHandle: sizeOf(limits, 'old_handle_days'),
          deletion: sizeOf(limits, 'deletion_days'),
        },
      });
      addPages({
        addPage: createAddPage({ app: pages, fail, observe }),
        operations,
        loadComments,
        home,
        siteUrl,
        limits,
        homeDocument,
        ready: host.ready,
      });
    },
    sendNotFoundPage: (exchange) => sendNotFoundPage(exchange, home),
    fail,
    observe,
  });
  const server = await listen(app, { port: config.port, address: config.bind });
  log.info({ port: server.port, url: siteUrl }, 'listening');

  host.onDrain(async () => {
    connections.draining = true;
    const drained = server.drain(drainMs);
    holds.drain();
    await drained;
    await seen.flush();
  });
  return server;
}

export const gateway: ServiceDefinition = {
  name: 'gateway',
  async start(host) {
    await startGateway(host);
  },
};
