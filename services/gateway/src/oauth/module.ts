import { badRequest, errorKinds, type HearthError, isHearthError } from '@hearth/errors';
import { oauthRoutes, pointsOfOauthBody, type Route } from '@hearth/limits';
import type { Host } from '@hearth/runtime';
import type { Express, Request, Response } from 'express';
import {
  askForBody,
  createExchange,
  type Exchange,
  type Floods,
  type Guard,
  methodNotAllowed,
  type Network,
  type Observe,
  preflightHeaders,
  secondsUntil,
  sendEmpty,
  sendJson,
  splitTarget,
  visitorFrame,
} from '../http/module.ts';
import { type AddPage, errorPage, send } from '../pages/module.ts';
import { askingNetwork } from './asking-network.ts';
import type { AuthorizationServer, Deps } from './authorization-server.ts';
import { oauthPaths } from './paths.ts';
import { cleanQuery, createResources } from './resources.ts';

export { oauthPaths } from './paths.ts';

/** Sign-in for programs: the authorization server, and the consent page. */
export interface OAuth {
  addTo(app: Express, addPage: AddPage): void;
}

export interface Around {
  guard: Pick<Guard, 'headersFor'>;
  network: Network;
  floods: Pick<Floods, 'check'>;
  observe: Observe;
}

export function createOAuth(
  host: Deps & Pick<Host, 'limiter'>,
  { guard, network, floods, observe }: Around,
): OAuth {
  const { clock, config, limiter, log } = host;
  const { siteUrl } = config;
  const { host: siteHost, protocol } = new URL(siteUrl);
  const resources = createResources(siteUrl);
  let loading: Promise<AuthorizationServer> | undefined;

  /** Loads the library on first use, because neither a start nor an idle home needs it. */
  function server(): Promise<AuthorizationServer> {
    loading ??= import('./authorization-server.ts').then((part) => part.createAuthorizationServer(host));
    return loading;
  }

  /** Rewrites the target into the form that the authorization server reads. */
  function cleanTarget({ request }: Exchange): void {
    const { query } = splitTarget(request.url ?? '');
    request.url = `${oauthPaths.authorize}?${cleanQuery(query, resources)}`;
    (request as { originalUrl?: string }).originalUrl = request.url;
  }

  /** Passes the request to the authorization server, under the site's public address. */
  async function pass({ request, response }: Exchange): Promise<void> {
    const from = network.of(request);
    request.headers['x-forwarded-host'] = siteHost;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    const { handle } = await server();
    askForBody(request);
    await askingNetwork.run(from, () => handle(request, response));
  }

  async function count({ request }: Exchange, { counts, points = 1 }: Route): Promise<void> {
    const from = network.of(request);
    for (const [index, limit] of counts.entries())
      await limiter.consume(limit, from, 'anyone', index === 0 ? points + bodyPoints(request) : 1);
  }

  function refuse(exchange: Exchange, error: HearthError): void {
    exchange.error = error;
    const { resetsAt, allow } = error.details;
    const status = errorKinds[error.kind].http;
    const headers = [
      ...(error.kind === 'rate_limited' || status === 503
        ? ['Retry-After', String(secondsUntil(resetsAt, clock.now()))]
        : []),
      ...(allow === undefined ? [] : ['Allow', allow.join(', ')]),
    ];
    if (exchange.operation === 'oauth_authorize') {
      const html = errorPage(visitorFrame(host, exchange.request), error, clock.now());
      send(exchange, undefined, { html, status, headers });
    } else {
      const body = { error: errorName(error), error_description: error.message };
      sendJson(exchange.response, status, JSON.stringify(body), headers);
    }
  }

  function mount(app: Express, operation: string, route: Route): void {
    const { path } = route;
    const methods = [...route.methods];
    app.route(path).all((request: Request, response: Response) => {
      const exchange = createExchange(request, response, operation, path);
      return observe(exchange, async () => {
        try {
          floods.check(request);
          const cors = methods.includes('POST') ? guard.headersFor(request) : [];
          if (request.method === 'OPTIONS' && cors.length > 0)
            return sendEmpty(response, 204, ['Allow', methods.join(', '), ...cors, ...preflightHeaders]);
          if (!methods.includes(request.method)) throw methodNotAllowed(request.method, methods);
          for (let index = 0; index < cors.length; index += 2)
            response.setHeader(cors[index]!, cors[index + 1]!);
          await count(exchange, route);
          if (path === oauthPaths.authorize) cleanTarget(exchange);
          await pass(exchange);
        } catch (error) {
          if (!isHearthError(error)) log.error({ err: error }, 'the authorization server failed');
          refuse(
            exchange,
            isHearthError(error)
              ? error
              : badRequest('the request could not be answered', { code: 'bad_field' }),
          );
        }
      });
    });
  }

  return {
    addTo(app, addPage) {
      for (const [name, route] of Object.entries(oauthRoutes))
        mount(app, `oauth_${name === 'resume' ? 'authorize' : name}`, route);
      addPage('oauth_interaction', oauthPaths.interactionPage, {
        get: async (request) => (await server()).consent.get(request),
        post: async (request) => (await server()).consent.post(request),
      });
    },
  };
}

/** A body counts by its size; without a declared size it counts as the longest accepted body. */
function bodyPoints({ headers }: Exchange['request']): number {
  const chunked = headers['transfer-encoding'] !== undefined;
  return pointsOfOauthBody(chunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0));
}

/** The RFC 6749 name of the error. */
function errorName({ kind }: HearthError): string {
  if (kind === 'rate_limited' || kind === 'unavailable' || kind === 'deadline_exceeded')
    return 'temporarily_unavailable';
  return kind === 'internal' ? 'server_error' : 'invalid_request';
}
