import { second } from '@hearth/clock';
import { sizeOf, sizesOf } from '@hearth/limits';
import { createReader } from '@hearth/proto-json';
import type { Host, ServiceDefinition } from '@hearth/runtime';
import { paths } from '@hearth/web';
import { addAccountPages } from './account-pages/module.ts';
import { createCalls, createLanes, withOwnCursors } from './calls/module.ts';
import { addCommonsPages } from './commons-pages/module.ts';
import { createAuthenticate, startCredentials } from './credentials/module.ts';
import { addDecisionPages } from './decision-pages/module.ts';
import { addDocuments } from './documents/module.ts';
import { startHolds } from './hold/module.ts';
import { addHomeRequests } from './homes/module.ts';
import {
  type Connections,
  createApp,
  createFail,
  createFloods,
  createGuard,
  createNetwork,
  createObserve,
  createUntaken,
  type HttpServer,
  listen,
} from './http/module.ts';
import { startLastSeen } from './last-seen/module.ts';
import { startLimits } from './limits/module.ts';
import { isMcp, startMcp } from './mcp/module.ts';
import { createOAuth } from './oauth/module.ts';
import { readOperations } from './operations/module.ts';
import { addOperatorPages } from './operator-pages/module.ts';
import { createPages, sendNotFoundPage } from './pages/module.ts';
import { startProfile } from './profile/module.ts';
import { addRequestPages } from './request-pages/module.ts';
import { createApi, createNoSuchPath, createRoutes } from './rest/module.ts';
import { createSessions } from './sessions/module.ts';
import { addSignInPages } from './sign-in-pages/module.ts';

/** How long pending requests may take once the process drains. */
const drainMs = 10 * second;

/** The home's entry point: REST and MCP from the declared operations, documents, pages, probes. It owns no data. */
export async function startGateway(given: Host): Promise<HttpServer> {
  // Not a copy, because parts of a host are created on first use.
  const host: Host = Object.create(given, { peer: { value: withOwnCursors(given) } });
  const { clock, config, homeNames, ids, languages, limits, log, sealer } = host;
  const { siteUrl } = config;
  const operations = readOperations();
  const reader = createReader({ bounds: sizesOf(limits), ownHome: homeNames.ownHome });
  const fail = createFail(host);
  const observe = createObserve(log);
  const connections: Connections = { draining: false };
  await startProfile(host);
  const holds = startHolds(host);
  const rates = await startLimits(host, { holds });
  // A held request asks again when its caller is suspended or loses a key.
  const credentials = startCredentials(host, { onEvicted: holds.askAgain });
  const lastSeen = startLastSeen(host);
  const network = createNetwork(host.own('trustedProxies'));
  const untaken = createUntaken(network);
  const floods = createFloods({ network, limits, clock });
  const reading = { lanes: createLanes(), checkUntaken: untaken.check };
  const sessions = createSessions({
    ...{ credentials, network, floods, lastSeen },
    ...{ sealer, ids, clock, languages, siteUrl },
  });
  const guard = createGuard({ siteUrl, hosts: host.own('hosts'), origins: config.mcpOrigins });
  const oauth = createOAuth(host, { guard, network, floods, observe });

  const authenticateAt = (path: string) =>
    createAuthenticate({ credentials, rates, network, floods, audiences: [siteUrl, `${siteUrl}${path}`] });
  const [overRest, overMcp] = [authenticateAt('/v0'), authenticateAt(paths.mcp)];
  const api = createApi({
    routes: createRoutes(operations, host.peer, { maxBodyBytes: sizeOf(limits, 'body_bytes'), reader }),
    authenticate: overRest,
    calls: createCalls({ authenticate: overRest, rates, holds, lastSeen, ...reading }),
    rates,
    connections,
    fail,
    observe,
  });
  const mcp = startMcp(host, {
    ...{ guard, operations, authenticate: overMcp, rates, holds, lastSeen },
    ...{ ...reading, reader, connections, observe },
  });
  const app = createApp({
    api: (request, response) => api(request, response) || mcp(request, response),
    connections,
    addPages(express) {
      // The most requested routes first, because express tries routes in order.
      addDocuments(host, { app: express, connections, operations, network, floods, fail, observe });
      addHomeRequests(host, { app: express, network, floods, fail, observe });
      const pages = createPages(host, { app: express, sessions, rates, floods, reader, observe, holds });
      oauth.addTo(express, pages.addPage);
      addSignInPages(pages);
      addRequestPages(pages);
      addDecisionPages(pages);
      addAccountPages(pages);
      addOperatorPages(pages);
      if (config.commons === 'public')
        addCommonsPages(host, pages, { app: express, network, floods, fail, observe });
    },
    noSuchPath: createNoSuchPath(operations),
    sendNotFoundPage: (exchange) => sendNotFoundPage(exchange, host),
    fail,
    guard: { check: (request) => !isMcp(request) && guard.check(request) },
    observe,
    siteUrl,
    untaken,
    floods,
  });
  const server = await listen(app, config, network);
  log.info({ port: server.port, url: siteUrl }, 'listening');

  host.onDrain(async () => {
    connections.draining = true;
    await holds.drain(config.drainSeconds * second);
    await server.drain(drainMs);
    await lastSeen.flush();
  });
  return server;
}

export const gateway: ServiceDefinition = {
  name: 'gateway',
  async start(host) {
    await startGateway(host);
  },
};
