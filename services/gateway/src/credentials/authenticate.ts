import { type ErrorKind, type HearthError, isHearthError, unauthenticated } from '@hearth/errors';
import { unprovenPoints } from '@hearth/limits';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Exchange, Floods, Network } from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import { actingForHeader, readActingFor } from './acting-for.ts';
import { readBearer } from './bearer.ts';
import type { Credential } from './credential.ts';
import type { Credentials } from './resolver.ts';

/** The caller of a request and their credential; undefined if none was sent. */
export interface Principal {
  caller: Caller;
  credential: Credential | undefined;
}

export type Authenticate = (exchange: Exchange) => Promise<Principal>;

export interface Deps {
  credentials: Pick<Credentials, 'resolve'>;
  rates: Pick<Rates, 'spendFailed'>;
  network: Network;
  floods: Pick<Floods, 'check' | 'price' | 'proven'>;
  /** The audiences that tokens may have here (RFC 8707). */
  audiences: readonly string[];
}

/** The error kinds that count as a refused credential. */
const refusals: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden', 'bad_request']);

/**
 * Finds the caller of a request. Throws as `Credentials.resolve` does, and rate_limited if too many requests
 * from the network were refused.
 */
export function createAuthenticate({ credentials, rates, network, floods, audiences }: Deps): Authenticate {
  async function find(exchange: Exchange): Promise<Principal> {
    const { headers } = exchange.request;
    exchange.hadCredential = headers.authorization !== undefined;
    const token = readBearer(headers.authorization);
    const actingFor = readActingFor(headers['svc-acting-for']);
    const from = network.of(exchange.request);
    if (token === undefined) {
      floods.check(exchange.request);
      if (actingFor !== '')
        throw unauthenticated(`${actingForHeader} goes with the key of an app; send it too`);
      return { caller: { ...anonymous, network: from }, credential: undefined };
    }
    const found = credentials.resolve(token, actingFor, () => {
      floods.check(exchange.request);
      floods.price(exchange.request, unprovenPoints.unknownKey);
    });
    const credential = found instanceof Promise ? await found : found;
    const { audience } = credential;
    if (audience !== undefined && !audiences.includes(audience)) throw forElsewhere(audience, audiences);
    if (!exchange.proven) {
      // Held requests authenticate repeatedly.
      exchange.proven = true;
      floods.proven(exchange.request);
    }
    return { caller: network.on(credential, from), credential };
  }

  return async (exchange) => {
    try {
      return await find(exchange);
    } catch (error) {
      if (isHearthError(error) && refusals.has(error.kind)) {
        await rates.spendFailed({ ...anonymous, network: network.of(exchange.request) }, exchange);
      }
      throw error;
    }
  };
}

function forElsewhere(audience: string, audiences: readonly string[]): HearthError {
  return unauthenticated(`this token is for ${audience}; get one with resource=${audiences.at(-1)}`);
}
