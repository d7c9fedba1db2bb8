import { isUtf8 } from 'node:buffer';
import { createLru } from '@hearth/cache/lru';
import { type Clock, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { type GuardedHttp, OutboundError } from '@hearth/guarded-http';
import { parseStrictJson } from '@hearth/signing';
import { errors, type OAuthPayload } from 'oidc-provider';
import { notNow } from './answered.ts';
import { askingNetwork } from './asking-network.ts';

/** Clients whose id is the address of their own description (Client ID Metadata Documents). */
export interface ClientDocuments {
  /** Whether a client_id is such an address. */
  isAddress(clientId: string): boolean;
  /** @throws InvalidClient if there is no document that this home accepts */
  find(clientId: string): Promise<OAuthPayload>;
}

export interface Deps {
  http: Pick<GuardedHttp, 'request' | 'check'>;
  clock: Clock;
}

const maxBytes = 5 * 1_024;
const timeoutMs = 5 * second;
const keptMs = 15 * minute;
const refusalKeptMs = 30 * second;
const maxKept = 500;
const longestId = 500;
/**
 * The most concurrent fetches for one network, and for ids never seen before, so that hanging hosts don't
 * block the others.
 */
const maxForNetwork = 8;
const maxUnseen = 64;

interface Kept {
  document: OAuthPayload | Error;
  until: number;
}

/** In-process cache; concurrent lookups of a document share one request (single flight). */
export function createClientDocuments({ http, clock }: Deps): ClientDocuments {
  const kept = createLru<Kept>(maxKept);
  const seen = createLru<true>(maxKept);
  const asking = new Map<string, Promise<OAuthPayload>>();
  const forNetwork = new Map<string, number>();
  let unseen = 0;

  async function ask(clientId: string): Promise<OAuthPayload> {
    try {
      const document = readClientDocument(clientId, await fetchDocument(clientId));
      kept.set(clientId, { document, until: clock.now() + keptMs });
      seen.set(clientId, true);
      return document;
    } catch (error) {
      if (error instanceof errors.InvalidClient)
        kept.set(clientId, { document: error, until: clock.now() + refusalKeptMs });
      throw error;
    }
  }

  /** Reserves a slot for one more fetch; returns its release. */
  function takePlace(clientId: string): () => void {
    const network = askingNetwork.getStore() ?? '';
    const those = forNetwork.get(network) ?? 0;
    const isUnseen = !seen.has(clientId);
    if (those >= maxForNetwork || (isUnseen && unseen >= maxUnseen))
      throw refused('too many descriptions of programs are being read at once; try again in a moment');
    forNetwork.set(network, those + 1);
    if (isUnseen) unseen += 1;
    return () => {
      const left = forNetwork.get(network)! - 1;
      if (left === 0) forNetwork.delete(network);
      else forNetwork.set(network, left);
      if (isUnseen) unseen -= 1;
    };
  }

  async function fetchDocument(clientId: string): Promise<Buffer> {
    try {
      const { status, body } = await http.request({
        method: 'GET',
        url: clientId,
        headers: { accept: 'application/json' },
        timeoutMs,
        maxResponseBytes: maxBytes,
      });
      if (status !== 200) throw refused(`its address answered ${status}`);
      return body;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const { message } = error;
      throw error.category === 'lookup' ? notNow(`the client cannot be read: ${message}`) : refused(message);
    }
  }

  return {
    isAddress: (clientId) => /^https?:\/\//i.test(clientId),
    async find(clientId) {
      checkClientId(clientId, http);
      const known = kept.get(clientId);
      if (known !== undefined && known.until > clock.now()) {
        if (known.document instanceof Error) throw known.document;
        return known.document;
      }
      let answer = asking.get(clientId);
      if (answer === undefined) {
        const giveBack = takePlace(clientId);
        answer = ask(clientId).finally(() => {
          asking.delete(clientId);
          giveBack();
        });
        asking.set(clientId, answer);
      }
      return await answer;
    },
  };
}

/**
 * Requires an https address with a path in its canonical spelling: ids are compared as text, so they must not
 * have two readings.
 */
function checkClientId(clientId: string, http: Pick<GuardedHttp, 'check'>): void {
  if (clientId.length > longestId) throw refused(`its address is longer than ${longestId} characters`);
  try {
    const url = http.check(clientId);
    if (url.href !== clientId || url.hash !== '') throw refused('its address is not in its normal form');
    if (url.pathname === '/') throw refused('its address has no path');
  } catch (error) {
    if (error instanceof OutboundError) throw refused(error.message);
    throw error;
  }
}

/** @throws InvalidClient with the document's error */
export function readClientDocument(clientId: string, bytes: Buffer): OAuthPayload {
  if (!isUtf8(bytes)) throw refused('its document is not UTF-8');
  const document = parse(bytes.toString());
  if (document['client_id'] !== clientId) throw refused('its document names another client_id');
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    throw refused('its document holds a secret');
  const method = document['token_endpoint_auth_method'] ?? 'none';
  if (method !== 'none') throw refused('its document asks for a client authentication other than none');
  return {
    client_id: clientId,
    ...(typeof document['client_name'] === 'string' && { client_name: document['client_name'] }),
    redirect_uris: document['redirect_uris'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value = parseStrictJson(text, { maxBytes, floats: true });
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    if (!isHearthError(error)) throw error;
  }
  throw refused('its document is no JSON object');
}

function refused(why: string): Error {
  return new errors.InvalidClient(`the client cannot be used: ${why}`);
}
