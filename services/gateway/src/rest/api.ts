import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Calls, Question } from '../calls/module.ts';
import type { Authenticate } from '../credentials/module.ts';
import {
  type Connections,
  createExchange,
  type Exchange,
  type Fail,
  methodNotAllowed,
  type Observe,
  sendEmpty,
  splitTarget,
} from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import { sendAnswer, textOf } from './answer.ts';
import { readRequest, type Target } from './read-request.ts';
import { allowedMethods, type Route } from './route.ts';
import type { RouteTree } from './route-tree.ts';

export interface Deps {
  routes: RouteTree<Route>;
  authenticate: Authenticate;
  calls: Calls<Route>;
  rates: Pick<Rates, 'spendAnswer' | 'spendBody'>;
  connections: Connections;
  fail: Fail;
  observe: Observe;
}

/** Answers a request if its path belongs to an operation; else returns false. */
export type Api = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves the declared operations over HTTP: route, credential, permission, limits, request, call, answer. */
export function createApi(deps: Deps): Api {
  const { routes, authenticate, calls, rates, connections, fail, observe } = deps;

  async function serve(exchange: Exchange, route: Route, target: Target): Promise<void> {
    try {
      const principal = await authenticate(exchange);
      await calls.admit(route, principal, exchange);
      const message = await readRequest(route, exchange.request, target, (bytes) =>
        rates.spendBody(principal.caller, exchange, bytes),
      );
      const question = questionOf(exchange.request.url ?? '');
      const reply = await calls.answer({ callable: route, principal, exchange, message, question });
      if (reply.metadata.httpStatus !== 304)
        await rates.spendAnswer(principal.caller, exchange, textOf(reply.answer, route).length);
      // Draining may have begun while the request was held.
      if (connections.draining) exchange.response.shouldKeepAlive = false;
      sendAnswer(exchange, route, reply, (message as { if?: string }).if);
    } catch (thrown) {
      fail(exchange, thrown);
    }
  }

  return (request, response) => {
    const { path, query } = splitTarget(request.url ?? '/');
    if (!path.startsWith('/v0/')) return false;
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    try {
      const found = routes.find(path);
      if (found === undefined) return false;
      const route = found.routes.get(method);
      if (route !== undefined) {
        const exchange = createExchange(request, response, route.operation.id, route.template, route.scopes);
        void observe(exchange, () => serve(exchange, route, { values: found.values, query }));
        return true;
      }
      const allow = allowedMethods(found.routes);
      if (method !== 'OPTIONS') throw methodNotAllowed(request.method, allow);
      sendEmpty(response, 204, ['Allow', allow.join(', ')]);
    } catch (thrown) {
      const exchange = createExchange(request, response, 'none', 'none');
      void observe(exchange, async () => fail(exchange, thrown));
    }
    return true;
  };
}

/** Targets can have any length; cache keys must not. */
const longestQuestion = 500;

/** The question of a GET is its target. */
function questionOf(url: string): Question {
  const name = () => (url.length > longestQuestion ? undefined : url);
  return { name, series: () => name()?.replace(/(?<=[?&])(since|wait)=[^&]*&?/g, '') };
}
