import { isHearthError } from '@hearth/errors';
import {
  callerKindOf,
  charactersOfRead,
  type CallerKind as LimitedKind,
  type LimitName,
  limitFor,
  pointsOfBody,
  rateLimitHeaders,
  type Usage,
} from '@hearth/limits';
import { RateClass } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Exchange } from '../http/module.ts';
import { boundKindOf, keyOf } from './domain/counted.ts';

/** Counts requests. Adds headers about the remaining quota to the exchange. */
export interface Rates {
  /** Throws rate_limited (429) if no quota is left. */
  spend(rate: RateClass, caller: Caller, exchange: Exchange): Promise<void>;
  /** Counts an opened page. A visitor counts as one of many behind an address. Throws rate_limited (429). */
  spendPage(caller: Caller, exchange: Exchange): Promise<void>;
  /** Counts a body that is longer than its request pays for, before it is parsed. Throws rate_limited (429). */
  spendBody(caller: Caller, exchange: Exchange, bytes: number): Promise<void>;
  /**
   * Counts an answer that is longer than its read pays for, before it is sent. Refuses the next request, not
   * this one.
   */
  spendAnswer(caller: Caller, exchange: Exchange, characters: number): Promise<void>;
  /** Counts a request with an invalid key like a request without one. */
  spendFailed(caller: Caller, exchange: Exchange): Promise<void>;
  /** How many of the caller's requests may be held at once. */
  openWaits(caller: Caller): number;
}

const limitOf: Readonly<Partial<Record<RateClass, LimitName>>> = {
  [RateClass.READ]: 'reads_a_minute',
  [RateClass.WRITE]: 'writes_a_minute',
  [RateClass.SIGN_UP]: 'sign_ups_an_hour',
  [RateClass.PEEK]: 'peeks_a_minute',
};

export function createRates({ limiter, limits, clock }: Pick<Host, 'clock' | 'limiter' | 'limits'>): Rates {
  async function spend(
    limit: LimitName,
    kind: LimitedKind | undefined,
    caller: Caller,
    exchange: Exchange,
    points = 1,
  ): Promise<void> {
    try {
      const usage = await limiter.consume(limit, keyOf(limit, caller), kind, points);
      if (usage !== null) exchange.headers = headersOf(usage);
    } catch (error) {
      const usage = usedUp(error, limit, kind);
      if (usage !== undefined) exchange.headers = headersOf(usage);
      throw error;
    }
  }

  function headersOf(usage: Usage): string[] {
    const { policy, limit } = rateLimitHeaders(usage, clock.now());
    return ['RateLimit-Policy', policy, 'RateLimit', limit];
  }

  function usedUp(error: unknown, limit: LimitName, kind: LimitedKind | undefined): Usage | undefined {
    const bound = kind === undefined ? null : limitFor(limits, limit, kind);
    const { windowSeconds } = limits[limit];
    const resetsAt = isHearthError(error) ? error.details.resetsAt?.getTime() : undefined;
    if (bound === null || windowSeconds === undefined || resetsAt === undefined) return undefined;
    return { limit, bound, windowSeconds, remaining: 0, resetsAt };
  }

  return {
    async spend(rate, caller, exchange) {
      const limit = limitOf[rate];
      if (limit !== undefined) await spend(limit, boundKindOf(limit, callerKindOf(caller)), caller, exchange);
    },
    async spendPage(caller, exchange) {
      const kind = callerKindOf(caller);
      const limit = kind === 'anyone' ? 'visitor_pages_a_minute' : 'reads_a_minute';
      await spend(limit, kind, caller, exchange);
    },
    async spendBody(caller, exchange, bytes) {
      const points = pointsOfBody(bytes);
      if (points === 0) return;
      const kind = boundKindOf('reads_a_minute', callerKindOf(caller));
      await spend('reads_a_minute', kind, caller, exchange, points);
    },
    async spendAnswer(caller, exchange, characters) {
      const points = Math.floor(characters / charactersOfRead);
      if (points === 0) return;
      const kind = boundKindOf('reads_a_minute', callerKindOf(caller));
      await spend('reads_a_minute', kind, caller, exchange, points).catch((error) => {
        if (!isHearthError(error) || error.kind !== 'rate_limited') throw error;
      });
    },
    spendFailed: (caller, exchange) => spend('reads_a_minute', 'anyone', caller, exchange),
    openWaits(caller) {
      const kind = callerKindOf(caller);
      return (kind && limitFor(limits, 'open_waits', kind)) ?? Number.POSITIVE_INFINITY;
    },
  };
}
