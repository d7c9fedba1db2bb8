import { type ErrorKind, type HearthError, isHearthError, unauthenticated } from '@hearth/errors';
import { anyone, type Caller } from '@hearth/rpc';
import type { Exchange, Network } from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import { actingForHeader, readActingFor } from './acting-for.ts';
import { readBearer } from './bearer.ts';
import type { Credential } from './credential.ts';
import type { Credentials } from './resolver.ts';

/** Who asks, and by which credential; undefined when they sent none. */
export interface Asker {
  caller: Caller;
  credential: Credential | undefined;
}

export interface AskersOptions {
  credentials: Pick<Credentials, 'resolve'>;
  rates: Pick<Rates, 'spendFailed'>;
  network: Network;
  /** What a token must be for to be taken here, by address (RFC 8707). */
  audiences: readonly string[];
}

/** How a credential can be refused. */
const refusals: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden', 'bad_request']);

/**
 * Finds who sent a request. Throws as `Credentials.resolve` does; rate_limited for a network from which too many
 * requests came that were refused here.
 */
export function createFindAsker({ credentials, rates, network, audiences }: AskersOptions) {
  async function find(exchange: Exchange): Promise<Asker> {
    const { headers } = exchange.request;
    exchange.hadCredential = headers.authorization !== undefined;
    const token = readBearer(headers.authorization);
    const actingFor = readActingFor(headers['svc-acting-for']);
    const from = network.of(exchange.request);
    if (token === undefined) {
      if (actingFor !== '')
        throw unauthenticated(`${actingForHeader} goes with the key of an app; send it too`);
      return { caller: { ...anyone, network: from }, credential: undefined };
    }
    const found = credentials.resolve(token, actingFor);
    const credential = found instanceof Promise ? await found : found;
    const { audience } = credential;
    if (audience !== undefined && !audiences.includes(audience)) throw forElsewhere(audience, audiences);
    return { caller: network.on(credential, from), credential };
  }

  return async (exchange: Exchange): Promise<Asker> => {
    try {
      return await find(exchange);
    } catch (error) {
      if (isHearthError(error) && refusals.has(error.kind)) {
        await rates.spendFailed({ ...anyone, network: network.of(exchange.request) }, exchange);
      }
      throw error;
    }
  };
}

function forElsewhere(audience: string, audiences: readonly string[]): HearthError {
  return unauthenticated(`this token is for ${audience}; get one with resource=${audiences.at(-1)}`);
}
