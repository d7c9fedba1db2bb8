import type { IncomingMessage } from 'node:http';
import { type Clock, minute } from '@hearth/clock';
import { type HearthError, rateLimited } from '@hearth/errors';
import { type Limits, limitFor, pointsOfBody, widerNetworks } from '@hearth/limits';
import { probes } from './guard.ts';
import type { Network } from './network.ts';
import { splitTarget } from './paths.ts';

/** Requests without proof of their sender: without a credential that works, and signed by no home that is known. */
export interface Floods {
  /**
   * Counts a request for its network until it is proven. Answers why it is refused, where it brings nothing that could prove
   * it; `cut` where the network goes on after that was told often enough, and its connections are its own.
   */
  begin(request: IncomingMessage): HearthError | 'cut' | undefined;
  /** Counts a request for so many points in place of the one that it began with, and those of its body. */
  price(request: IncomingMessage, points: number): void;
  /** Counts a body as further requests, by its bytes, where it is read before anything is proven. */
  weigh(request: IncomingMessage, bytes: number): void;
  /** The request counts for its caller. */
  proven(request: IncomingMessage): void;
  /**
   * Called before work for a request that nothing proves yet. A network that goes on long after it was refused loses its connections.
   *
   * @throws rate_limited once its network has sent too many
   */
  check(request: IncomingMessage): void;
}

const limit = 'unproven_requests_a_minute';
/** So many times the bound of refused requests are answered; those beyond it lose their connection. */
const patience = 2;
const mostNetworks = 100_000;

export interface Deps {
  network: Pick<Network, 'behind' | 'of'>;
  limits: Limits;
  clock: Clock;
}

const unbounded: Floods = {
  begin: () => undefined,
  price() {},
  weigh() {},
  proven() {},
  check() {},
};

/** Counts in this process alone: it is this process that a flood keeps busy. */
export function createFloods({ network, limits, clock }: Deps): Floods {
  const bound = limitFor(limits, limit, 'anyone');
  if (bound === null) return unbounded;
  let counts = new Map<string, number>();
  let until = 0;
  /** The points that each request was counted for. */
  const pointsOf = new WeakMap<IncomingMessage, number>();

  function countsNow(): Map<string, number> {
    const now = clock.now();
    if (now >= until || until > now + minute) {
      counts = new Map();
      until = now + minute;
    }
    return counts;
  }

  const namesOf = (request: IncomingMessage) => {
    const own = network.of(request);
    return [{ network: own, times: 1 }, ...widerNetworks(own)];
  };

  function add(request: IncomingMessage, points: number): void {
    pointsOf.set(request, (pointsOf.get(request) ?? 0) + points);
    const now = countsNow();
    for (const { network: name } of namesOf(request)) {
      const count = (now.get(name) ?? 0) + points;
      if (count > 0 && (now.has(name) || now.size < mostNetworks)) now.set(name, count);
      else now.delete(name);
    }
  }

  /** How many times its bound the network has sent; above 1 it is over. */
  function fill(request: IncomingMessage): number {
    const now = countsNow();
    return Math.max(
      ...namesOf(request).map(({ network: name, times }) => (now.get(name) ?? 0) / (bound! * times)),
    );
  }

  const refusal = () => rateLimited(limit, new Date(until));
  const isCut = (filled: number, request: IncomingMessage) =>
    filled > patience && network.behind(request.socket) !== undefined;

  return {
    begin(request) {
      if (probes.has(splitTarget(request.url ?? '').path)) return undefined;
      add(request, 1);
      const filled = fill(request);
      if (filled <= 1 || mayBeProven(request)) return undefined;
      return isCut(filled, request) ? 'cut' : refusal();
    },
    price: (request, points) => add(request, points - 1),
    weigh: (request, bytes) => add(request, pointsOfBody(bytes)),
    proven: (request) => add(request, -(pointsOf.get(request) ?? 0)),
    check(request) {
      const filled = fill(request);
      if (filled <= 1) return;
      if (isCut(filled, request)) request.socket.destroy();
      throw refusal();
    },
  };
}

/** Whether it brings what a route looks at before it reads a body: a key or token, the cookie of a session. */
function mayBeProven({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || (headers.cookie?.includes('hearth_session=') ?? false);
}
