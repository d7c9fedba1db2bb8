import { second } from '@hearth/clock';
import { unprovenPoints } from '@hearth/limits';
import { HomeRequestsService } from '@hearth/proto/federation/v1/items';
import { anonymous } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Express, Request, Response } from 'express';
import {
  createExchange,
  type Exchange,
  etagOf,
  type Fail,
  type Floods,
  holds,
  type Network,
  type Observe,
  readBytes,
  sendEmpty,
  sendJson,
} from '../http/module.ts';
import { createGather } from './actions/gather.ts';

export interface Deps {
  app: Express;
  network: Network;
  floods: Pick<Floods, 'check' | 'price' | 'proven' | 'weigh'>;
  fail: Fail;
  observe: Observe;
}

const endpoint = '/federation';
/** As in the home's document (`max_request`). */
const maxBytes = 262_144;
/** The remote home waits for 30 seconds. */
const timeoutMs = 25 * second;

/** Passes remote homes' requests to federation as raw bytes, which the signature covers. */
export function addHomeRequests(
  host: Pick<Host, 'limiter' | 'peer'>,
  { app, network, floods, fail, observe }: Deps,
): void {
  const federation = host.peer('federation', HomeRequestsService);
  const gather = createGather(host);

  async function serve(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    floods.check(request);
    const encoded = request.headers['content-encoding'] !== undefined;
    // Federation counts a request for its home once the home is verified; until then it counts for its
    // network.
    const weigh = async (bytes: number) => floods.weigh(request, bytes);
    const served = await federation.serveHomeRequest(
      {
        method: request.method ?? '',
        path: (request.url ?? '').slice(endpoint.length),
        headers: linesOf(request.rawHeaders),
        body: encoded ? Buffer.alloc(0) : await readBytes(request, maxBytes, weigh),
        network: network.of(request),
      },
      { caller: anonymous, timeoutMs },
    );
    if (isProven(served)) floods.proven(request);
    else if (served.status === 401) floods.price(request, unprovenPoints.unknownHome);
    const common = served.headers.flatMap(({ name, value }) => [name, value]);
    // On failures too, the headers name this home's document.
    exchange.headers = common;
    switch (served.gathered.case) {
      case 'card':
        return sendCard(exchange, await gather.card(served.gathered.value));
      case 'peek':
        return sendJson(response, 200, await gather.peek(served.gathered.value, network.of(request)), common);
      default:
        sendJson(response, served.status, Buffer.from(served.body).toString(), [
          ...common,
          'Cache-Control',
          'no-store',
        ]);
    }
  }

  app.route(`${endpoint}/*path`).all((request: Request, response: Response) => {
    const exchange = createExchange(request, response, 'home_request', `${endpoint}/{path}`);
    return observe(exchange, async () => {
      try {
        await serve(exchange);
      } catch (thrown) {
        fail(exchange, thrown);
      }
    });
  });
}

/** Whether federation verified the home that signed it. */
const isProven = ({ status, gathered }: { status: number; gathered: { case: string | undefined } }) =>
  gathered.case !== undefined || status < 300 || status === 409;

/** With an ETag, which the home sends when it asks again. */
function sendCard({ request, response, headers }: Exchange, text: string): void {
  const etag = etagOf(text);
  const caching = ['ETag', etag, 'Cache-Control', 'private, max-age=300', ...headers];
  if (holds(etag, request.headers['if-none-match'])) sendEmpty(response, 304, caching);
  else sendJson(response, 200, text, caching);
}

function linesOf(raw: readonly string[]): { name: string; value: string }[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [{ name: name.toLowerCase(), value: raw[index + 1] ?? '' }] : [],
  );
}
