import { hash } from 'node:crypto';
import { createLru } from '@hearth/cache/lru';
import { second } from '@hearth/clock';
import {
  type IncomingRequest,
  type ReadRequest,
  type RequestRefused,
  readRequest,
  requireFresh,
  verifyRequest,
} from '@hearth/http-signatures';
import type { Homes, Policy } from '../../homes/module.ts';
import { domainOf } from '../../shared/actions/domain-of.ts';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { Context } from '../context.ts';
import { noteRequest } from '../db/logs.ts';
import { HomeRefusal } from '../domain/home-answer.ts';
import { countUses, weightOf } from './count-uses.ts';

/** A request from another home that passed every check that does not depend on its content. */
export interface CheckedRequest {
  origin: string;
  policy: Policy;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
}

export interface Checks {
  /**
   * @param ofStranger the weight of a request without a body if it comes from a stranger
   * @throws HomeRefusal, RequestRefused
   */
  check(request: IncomingRequest, network: string, ofStranger: number): Promise<CheckedRequest>;
}

const nonceKeptMs = 300 * second;
const nudgePauseMs = 10 * second;
const mostNudged = 10_000;
const version = '1';

/**
 * @param since time (ms since 1970) from which on the store of nonces is complete: earlier requests cannot be
 * proven new
 */
export function createChecks(context: Context, since: number): Checks {
  const { clock, database, engine, home, endpoint, homes } = context;
  const nudgedAt = createLru<number>(mostNudged);

  async function count(key: string, points: number): Promise<void> {
    await countUses(context, [{ limit: 'home_requests_a_minute', key, points }]);
  }

  /**
   * Counts a request of a stranger; anyone can have any number of unknown homes. Returns whether the home is
   * a stranger.
   */
  async function countStranger(origin: string, network: string, points: number): Promise<boolean> {
    if (!(await homes.isStranger(origin))) return false;
    const keys = [await domainOf(origin), network];
    await countUses(
      context,
      keys.map((key) => ({ limit: 'stranger_requests_a_minute', key, points })),
    );
    return true;
  }

  /** Otherwise each request of a stranger that refuses its waiting items would have them sent again. */
  function mayNudge(origin: string, isStranger: boolean): boolean {
    const [now, last] = [clock.now(), nudgedAt.get(origin) ?? 0];
    if (isStranger && last <= now && now < last + nudgePauseMs) return false;
    nudgedAt.set(origin, now);
    return true;
  }

  async function remember(
    { origin, kid, nonce, created, expires }: ReadRequest,
    nudges: boolean,
  ): Promise<void> {
    const now = new Date(clock.now());
    const key = hash('sha256', `${origin}\n${kid}\n${nonce}`, 'buffer');
    const until = new Date(expires * second + nonceKeptMs);
    const noted =
      created * second < since
        ? null
        : await database.statement((tx) => noteRequest(tx, origin, { hash: key, until }, now, nudges));
    if (!noted?.isNew)
      throw new HomeRefusal('replayed', 'this nonce was seen before; send the same with a new one');
    if (noted.destination !== null) engine.poke([noted.destination]);
  }

  return {
    async check(request, network, ofStranger) {
      if (request.body.length > inboxLimits.max_request)
        throw new HomeRefusal('too_large', `a request has at most ${inboxLimits.max_request} bytes`);
      const read = readRequest(request, { home, endpoint });
      const { origin, kid } = read;
      if ((await homes.policyOf(origin)) === 'blocked')
        throw new HomeRefusal('denied', 'this home does not talk with yours');
      const points = weightOf(request.body);
      await count(network, points);
      requireFresh(read, clock.now());
      const key = usable(await homes.keyFor(origin, kid, 'request', network));
      try {
        verifyRequest(read, key.publicKey.keyObject);
      } catch (failed) {
        // The home may have revoked that key since, or another home may have taken over its name.
        usable(await homes.keyAgain(origin, kid, 'request', network));
        throw failed;
      }
      await count(origin, points);
      const isStranger = await countStranger(origin, network, ofStranger - 1 + points);
      await remember(read, mayNudge(origin, isStranger));
      homes.isThere(origin);
      if (read.version !== version)
        throw new HomeRefusal('bad_version', `this home speaks version ${version}`);
      const [path = '', query = ''] = request.path.split('?', 2);
      return {
        ...{ origin, policy: key.policy, path, query: new URLSearchParams(query) },
      };
    },
  };
}

type Key = Awaited<ReturnType<Homes['keyFor']>>;

function usable(key: Key): Exclude<Key, { refused: true }> {
  if (!key.refused) return key;
  const { code, error, retryAfterSeconds } = key;
  throw new HomeRefusal(code, error, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** Converts the refusal of a malformed request. */
export function refusalOf(error: RequestRefused): HomeRefusal {
  return new HomeRefusal(error.code, error.message);
}
