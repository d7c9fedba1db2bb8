import { parseAddress, printAddress } from '@hearth/addresses';
import { createFactCache } from '@hearth/cache/facts';
import { minute, second } from '@hearth/clock';
import { badField, forbidden, HearthError, notFound } from '@hearth/errors';
import { encodePart } from '@hearth/http-signatures';
import { callerKindOf } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { readStrictObject, verifyRecord } from '@hearth/signing';
import type { HomeReply, Homes } from '../../homes/module.ts';
import { readCard } from './read-card.ts';

export interface Cards {
  /**
   * Returns the card of a remote address, as signed by its home.
   *
   * @throws not_found, home_denied (403), home_unreachable (503), rate_limited
   */
  fetch(address: string, caller: Caller): Promise<string>;
  stop(): Promise<void>;
}

interface Deps extends Pick<Host, 'bus' | 'clock' | 'homeNames' | 'limiter'> {
  homes: Pick<Homes, 'ask' | 'isNew' | 'keyFor' | 'policyOf'>;
  nudge(home: string): Promise<void>;
}

/** A cached card, or the fact that there is none. */
interface Kept {
  home: string;
  json: string | null;
  etag: string | null;
  freshUntil: number;
}

const mostKept = 1_000;
const largestBytes = 16_384;
const keptMs = 60 * minute;
const longestFreshMs = 5 * minute;
const noneKeptMs = minute;
/** Less than the caller's timeout of ten seconds. */
const timeoutMs = 8 * second;

export function createCards({ bus, clock, homeNames, homes, limiter, nudge }: Deps): Cards {
  const kept = createFactCache<Kept>({
    ...{ bus, clock, max: mostKept, keptMs, signals: ['homes', 'home_cards'] },
    namesOf: ({ home }) => [home],
  });
  const flights = new Map<string, Promise<Kept>>();

  async function ask(home: string, address: string, before: Kept | undefined): Promise<Kept> {
    const reply = await homes.ask(home, {
      method: 'GET',
      path: `/cards/${encodePart(address)}`,
      headers: before?.etag ? { 'if-none-match': before.etag } : {},
      ...{ timeoutMs, maxResponseBytes: largestBytes },
    });
    if (reply.refused) throw refusalOf(reply);
    await nudge(home);
    const now = clock.now();
    if (reply.status === 404) return { home, json: null, etag: null, freshUntil: now + noneKeptMs };
    if (reply.status === 304 && before !== undefined)
      return { ...before, freshUntil: freshUntil(reply, before, now) };
    if (reply.status !== 200) throw statusError(home, reply.status);
    const { json, validUntil } = await verifyCard(home, reply.body);
    const found = { home, json, etag: tagOf(reply), freshUntil: 0 };
    return { ...found, freshUntil: Math.min(freshUntil(reply, found, now), validUntil) };
  }

  async function verifyCard(home: string, body: Buffer) {
    const now = clock.now();
    const claimed = readCard(readStrictObject(body, { maxBytes: largestBytes }), { home, now });
    if (typeof claimed === 'string') throw unreachable(home, claimed);
    const key = await homes.keyFor(home, claimed.kid, 'record');
    const keys = key.refused ? [] : [key.listed];
    if (!verifyRecord(claimed.card, { expectedType: 'svc-card+jws', home, keys, now }).valid)
      throw unreachable(home, 'it answered with a card that none of its keys signed');
    // Co-signatures are unsigned: anyone may have added them.
    const { co_signatures: _, ...card } = claimed.card;
    return { json: JSON.stringify(card), validUntil: claimed.validUntil };
  }

  async function load(home: string, address: string): Promise<Kept> {
    const key = `${home} ${address}`;
    const before = kept.get(key);
    if (before !== undefined && before.freshUntil > clock.now()) return before;
    const keep = kept.keeper();
    const flight =
      flights.get(key) ??
      ask(home, address, before)
        .then((found) => {
          keep(key, found);
          return found;
        })
        .finally(() => flights.delete(key));
    flights.set(key, flight);
    return await flight;
  }

  return {
    async fetch(given, caller) {
      const { home, ...local } = parseAddress(given, homeNames) ?? {};
      if (home === undefined) throw badField('address', 'must be of another home');
      if ((await homes.policyOf(home)) === 'blocked')
        throw forbidden(`this home does not talk with ${home}; its operator decides that`, {
          code: 'home_denied',
        });
      // Otherwise one caller could use up the hourly budget of fetches from new homes for everyone here.
      if (await homes.isNew(home))
        await limiter.consume('new_homes_an_hour', caller.id, callerKindOf(caller));
      const { json } = await load(home, printAddress(local as Parameters<typeof printAddress>[0]));
      if (json === null) throw notFound();
      return json;
    },
    stop: () => kept.stop(),
  };
}

type Answer = Extract<HomeReply, { refused: false }>;

function tagOf({ headers: { etag = '' } }: Answer): string | null {
  return /^(W\/)?"[\x21\x23-\x7e]{1,100}"$/.test(etag) ? etag : null;
}

function freshUntil({ headers }: Answer, { etag }: Pick<Kept, 'etag'>, now: number): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,6})(?:[\s,]|$)/i.exec(headers['cache-control'] ?? '') ?? [];
  const asked = seconds === undefined ? (etag === null ? 0 : longestFreshMs) : Number(seconds) * second;
  return now + Math.min(asked, longestFreshMs);
}

function refusalOf({ status, error }: Extract<HomeReply, { refused: true }>): HearthError {
  if (status === 400) return badField('address', error);
  if (status === 403) return forbidden(`${error}; its operator decides that`, { code: 'home_denied' });
  return new HearthError('unavailable', error, { code: 'home_unreachable' });
}

function statusError(home: string, status: number): HearthError {
  if (status === 403)
    return forbidden(`${home} does not talk with this home; its operator decides that`, {
      code: 'home_denied',
    });
  if (status === 401)
    return unreachable(
      home,
      `it does not take this home's signature; the operator here sees why by: hearth home check ${home}`,
    );
  if (status === 429) return unreachable(home, 'it is asked too often; try again in a minute');
  return unreachable(home, `it answered with status ${status}`);
}

function unreachable(home: string, why: string): HearthError {
  return new HearthError('unavailable', `${home} cannot be reached now: ${why}`, {
    code: 'home_unreachable',
  });
}
