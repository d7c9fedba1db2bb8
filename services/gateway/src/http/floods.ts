import type { IncomingMessage } from 'node:http';
import { type Clock, minute } from '@hearth/clock';
import { type HearthError, rateLimited } from '@hearth/errors';
import { type Limits, limitFor, pointsOfBody, widerNetworks } from '@hearth/limits';
import { probes } from './guard.ts';
import type { Network } from './network.ts';
import { splitTarget } from './paths.ts';

/** Bounds requests from unproven senders: without a valid credential or the signature of a known home. */
export interface Floods {
  /**
   * Counts a request for its network until it is proven. Once the network is over its bound, returns the
   * refusal of a request that has nothing to prove it; `cut` if the network continues regardless and the
   * connection is its own.
   */
  begin(request: IncomingMessage): HearthError | 'cut' | undefined;
  /** Counts a request as this many points instead of one, in addition to its body's points. */
  price(request: IncomingMessage, points: number): void;
  /** Counts a body that is read before anything is proven, by its bytes, as further requests. */
  weigh(request: IncomingMessage, bytes: number): void;
  /** Stops counting a proven request for its network; it counts for its caller. */
  proven(request: IncomingMessage): void;
  /**
   * Call before work for an unproven request. Cuts connections of a network that continues long after it was
   * refused.
   *
   * @throws rate_limited once the network has sent too many
   */
  check(request: IncomingMessage): void;
}

const limit = 'unproven_requests_a_minute';
/** Up to this many times the bound, refused requests get an answer; beyond it, connections are cut. */
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

/** Counts for this process only, because a flood loads this process. */
export function createFloods({ network, limits, clock }: Deps): Floods {
  const bound = limitFor(limits, limit, 'anyone');
  if (bound === null) return unbounded;
  let counts = new Map<string, number>();
  let until = 0;
  /** The points counted for each request. */
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

  /** The network's count divided by its bound; above 1 it is over. */
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

/** Whether it has something to check before its body is read: a key or token, or a session cookie. */
function mayBeProven({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || (headers.cookie?.includes('hearth_session=') ?? false);
}
