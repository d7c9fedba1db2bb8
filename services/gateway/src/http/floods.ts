import type { IncomingMessage } from 'node:http';
import { type Clock, minute } from '@hearth/clock';
import { type HearthError, rateLimited } from '@hearth/errors';
import { type Limits, limitFor, widerNetworks } from '@hearth/limits';
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
  /** Counts a body as further requests, by its bytes, where it is read before anything is proven. */
  weigh(request: IncomingMessage, bytes: number): void;
  /** The request counts for its caller. */
  proven(request: IncomingMessage): void;
  /** @throws rate_limited for a request whose credential is not looked at, once its network has sent too many */
  check(request: IncomingMessage): void;
}

const limit = 'unproven_requests_a_minute';
/** So many times the bound of refused requests are answered; those beyond it lose their connection. */
const patience = 2;
const mostNetworks = 100_000;
const bytesOfRequest = 4_096;

export interface Deps {
  network: Pick<Network, 'behind' | 'of'>;
  limits: Limits;
  clock: Clock;
}

/** Counts in this process alone: it is this process that a flood keeps busy. */
export function createFloods({ network, limits, clock }: Deps): Floods {
  const bound = limitFor(limits, limit, 'anyone') ?? Number.POSITIVE_INFINITY;
  let counts = new Map<string, number>();
  let until = 0;

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

  const pointsOf = new WeakMap<IncomingMessage, number>();

  function add(request: IncomingMessage, change: number): void {
    const now = countsNow();
    for (const { network: name } of namesOf(request)) {
      const count = (now.get(name) ?? 0) + change;
      if (count > 0 && (now.has(name) || now.size < mostNetworks)) now.set(name, count);
      else now.delete(name);
    }
  }

  /** How many times its bound the network has sent; above 1 it is over. */
  function fill(request: IncomingMessage): number {
    const now = countsNow();
    return Math.max(
      ...namesOf(request).map(({ network: name, times }) => (now.get(name) ?? 0) / (bound * times)),
    );
  }

  const refusal = () => rateLimited(limit, new Date(until));

  return {
    begin(request) {
      if (bound === Number.POSITIVE_INFINITY || probes.has(splitTarget(request.url ?? '').path))
        return undefined;
      add(request, 1);
      const filled = fill(request);
      if (filled <= 1 || mayBeProven(request)) return undefined;
      return filled > patience && network.behind(request.socket) !== undefined ? 'cut' : refusal();
    },
    weigh(request, bytes) {
      const points = Math.floor(bytes / bytesOfRequest);
      if (points === 0 || bound === Number.POSITIVE_INFINITY) return;
      pointsOf.set(request, points);
      add(request, points);
    },
    proven(request) {
      if (bound !== Number.POSITIVE_INFINITY) add(request, -1 - (pointsOf.get(request) ?? 0));
    },
    check(request) {
      if (bound !== Number.POSITIVE_INFINITY && fill(request) > 1) throw refusal();
    },
  };
}

/** Whether it brings what a route looks at before it reads a body: a key or token, the cookie of a session. */
function mayBeProven({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || (headers.cookie?.includes('hearth_session=') ?? false);
}
