import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest, type HearthError } from '@hearth/errors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { refuseAmbiguous } from './ambiguous.ts';
import { asksForPage } from './asks-for-page.ts';
import { createExchange, type Exchange } from './exchange.ts';
import type { Fail } from './failure.ts';
import type { Floods } from './floods.ts';
import { type Guard, probes } from './guard.ts';
import type { Observe } from './observe.ts';
import { splitTarget } from './paths.ts';
import { strictTransport } from './strict-transport.ts';
import type { Untaken } from './untaken.ts';

/** Whether this process is draining its connections. */
export interface Connections {
  draining: boolean;
}

export interface Deps {
  /** Answers a request for a declared operation; returns false for any other. */
  api(request: IncomingMessage, response: ServerResponse): boolean;
  connections: Connections;
  /** Adds the pages. */
  addPages(app: Express): void;
  /** The error for programs at an unknown path. */
  noSuchPath(path: string): HearthError;
  /** The not-found page for people with a browser. */
  sendNotFoundPage(exchange: Exchange): void;
  fail: Fail;
  guard: Pick<Guard, 'check'>;
  observe: Observe;
  siteUrl: string;
  untaken: Untaken;
  floods: Floods;
}

export interface App {
  /** Every request and response has its prototypes. */
  express: Express;
  /** Answers one request. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Called when a response was completely handed over for sending. */
  ended(response: ServerResponse): void;
}

/** Tries operations first, which have their own router; then express, with pages and documents; then "no such path". */
export function createApp(deps: Deps): App {
  const { api, connections, addPages, noSuchPath, sendNotFoundPage, fail, guard, observe, untaken, floods } =
    deps;
  const app = express();
  const transport = strictTransport(deps.siteUrl);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  addPages(app);
  const refuse = (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    const exchange = createExchange(request, response, 'none', 'none');
    return observe(exchange, async () => fail(exchange, error));
  };
  app.use((request: Request, response: Response) => {
    floods.check(request);
    if (!asksForPage(request)) {
      return refuse(request, response, noSuchPath(splitTarget(request.url).path));
    }
    const exchange = createExchange(request, response, 'none', 'none');
    return observe(exchange, async () => sendNotFoundPage(exchange));
  });
  // Express recognizes error handlers by their four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    void refuse(
      request,
      response,
      isClientFault(error) ? badRequest('the path is malformed', { code: 'bad_field' }) : error,
    );
  });
  return {
    express: app,
    handle(request, response) {
      // Clients then open a new connection, to a process that stays.
      if (connections.draining) response.shouldKeepAlive = false;
      if (transport !== undefined) response.setHeader('Strict-Transport-Security', transport);
      const refusal = untaken.begin(request, response);
      if (refusal === 'cut') return;
      if (refusal !== undefined && !probes.has(splitTarget(request.url ?? '').path)) {
        return void refuse(request, response, refusal);
      }
      const flood = floods.begin(request);
      if (flood === 'cut') return void request.socket.destroy();
      if (flood !== undefined) return void refuse(request, response, flood);
      try {
        refuseAmbiguous(request);
        guard.check(request);
      } catch (error) {
        return void refuse(request, response, error);
      }
      if (api(request, response)) return;
      app(request, response);
    },
    ended: untaken.ended,
  };
}

/** Express sets a status on errors about unreadable requests. */
function isClientFault(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500;
}
