import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Message } from '@bufbuild/protobuf';
import type { Caller } from '@hearth/rpc';
import type { Asker } from '../credentials/asker.ts';
import { namesOf } from '../credentials/credential.ts';
import type { Asked, Holds, Series } from '../hold/index.ts';
import type { Connections } from '../http/app.ts';
import { createExchange, type Exchange } from '../http/exchange.ts';
import type { Fail } from '../http/failure.ts';
import type { Observe } from '../http/observe.ts';
import { methodNotAllowed, splitTarget } from '../http/paths.ts';
import { sendEmpty } from '../http/send.ts';
import type { Rates } from '../limits/rates.ts';
import type { Seen } from '../seen/seen.ts';
import { type Answer, ask, clientOf, sendAnswer } from './answer.ts';
import { readRequest, type Target } from './read-request.ts';
import { allowedMethods, type Route } from './route.ts';
import type { RouteTree } from './route-tree.ts';

export interface ApiOptions {
  routes: RouteTree<Route>;
  findAsker(exchange: Exchange): Promise<Asker>;
  rates: Rates;
  holds: Pick<Holds, 'answer' | 'remember'>;
  seen: Seen;
  connections: Connections;
  fail: Fail;
  observe: Observe;
}

/** Answers a request when its path is an operation's; false when it is not. */
export type Api = (request: IncomingMessage, response: ServerResponse) => boolean;

const longestRemembered = 500;

/** The declared operations over HTTP: route, credential, permission, limits, request, call, answer. */
export function createApi(options: ApiOptions): Api {
  const { routes, findAsker, rates, holds, seen, connections, fail, observe } = options;
  /** Operations whose answers said that they hold for a while: only these are worth remembering. */
  const remembering = new Set<Route>();

  function held(exchange: Exchange, route: Route, message: Message, asker: Asker, waitMs: number) {
    const { caller, credential } = asker;
    const began = performance.now();
    let askedMs = 0;
    let first = true;
    if (credential !== undefined) seen.note(credential, 'waited');
    return holds
      .answer<Answer>({
        operation: route.operation.id,
        owner: ownerOf(caller),
        openWaits: rates.openWaits(caller),
        concerns: namesOf(caller),
        waitMs,
        client: clientOf(exchange.response),
        series: credential && seriesOf(exchange.request.url ?? '', message, credential.key),
        ask: async () => {
          const start = performance.now();
          // A credential may end while its request is held.
          if (!first) await findAsker(exchange);
          first = false;
          const asked = await ask(route, message, caller);
          askedMs += performance.now() - start;
          return asked;
        },
      })
      .finally(() => {
        exchange.heldMs = performance.now() - began - askedMs;
        if (credential !== undefined) seen.note(credential, 'waited');
      });
  }

  async function asked(
    exchange: Exchange,
    route: Route,
    message: Message,
    asker: Asker,
  ): Promise<Asked<Answer>> {
    const { caller, credential } = asker;
    const waitMs = route.canWait ? 1_000 * ((message as { wait?: number }).wait ?? 0) : 0;
    if (waitMs > 0) return held(exchange, route, message, asker, waitMs);
    if (credential !== undefined) seen.note(credential, route.canWait ? 'checked' : 'used');
    if (remembering.has(route)) {
      const { url = '' } = exchange.request;
      // A target can be spelt at any length; what is kept under it must not be.
      if (url.length <= longestRemembered) {
        return holds.remember<Answer>(`${credential?.key} ${url}`, () => ask(route, message, caller));
      }
    }
    const answer = await ask(route, message, caller);
    if (route.method === 'GET' && answer.marks.validMs > 0) remembering.add(route);
    return answer;
  }

  async function serve(exchange: Exchange, route: Route, target: Target): Promise<void> {
    try {
      const asker = await findAsker(exchange);
      route.check(asker.caller);
      await rates.spend(route.operation.declared.rate, asker.caller, exchange);
      const message = await readRequest(route, exchange.request, target);
      const answer = await asked(exchange, route, message, asker);
      // Draining may have begun while it was held.
      if (connections.draining) exchange.response.shouldKeepAlive = false;
      sendAnswer(exchange, route, answer, (message as { if?: string }).if);
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

const longestQuestion = 500;

/** What is asked again and again, apart from where it begins (`since`) and how long it may wait. */
function seriesOf(url: string, message: Message, key: string): Series | undefined {
  if (url.length > longestQuestion) return undefined;
  const question = url.replace(/(?<=[?&])(since|wait)=[^&]*&?/g, '');
  return { question: `${key} ${question}`, since: (message as { since?: string }).since ?? '' };
}

/** Whose waits are counted together: an app's are, whomever it acts for. */
function ownerOf({ app, kind, id, network }: Caller): string {
  return app === '' ? `${kind} ${id || network}` : `app ${app}`;
}
