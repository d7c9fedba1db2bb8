import { isHearthError } from '@hearth/errors';
import type { LimitName, Use } from '@hearth/limits';
import type { Host } from '@hearth/runtime';
import { domainOf } from '../../shared/actions/domain-of.ts';
import type { FetchReason } from '../domain/fetch-plan.ts';

/** Limits the document fetches that others cause. */
export interface FetchBudget {
  /**
   * Counts a fetch from a home that was never seen; false if the budget is used up.
   *
   * @param network null for this home's own requests
   */
  forNew(network: string | null): Promise<boolean>;
  /**
   * Whether the fetches from a home with a stored document are used up for this reason; answered from memory,
   * before anything is read.
   */
  isSpent(home: string, why: FetchReason): Promise<boolean>;
  /** Counts a fetch from a home with a stored document; false if the budget is used up. */
  forKnown(home: string, why: FetchReason, network: string | null): Promise<boolean>;
  /**
   * Counts bytes of a stranger's document that a request from `network` caused this home to fetch; false if
   * the budget is used up.
   */
  forBytes(home: string, bytes: number, network: string): Promise<boolean>;
}

export function createFetchBudget({ limiter }: Pick<Host, 'limiter'>): FetchBudget {
  async function allWithin(uses: readonly Omit<Use, 'kind'>[]): Promise<boolean> {
    try {
      await limiter.consumeAll(uses.map((use) => ({ ...use, kind: 'anyone' })));
      return true;
    } catch (error) {
      if (isHearthError(error) && error.kind === 'rate_limited') return false;
      throw error;
    }
  }

  async function within(...uses: [limit: LimitName, key: string][]): Promise<boolean> {
    try {
      for (const [limit, key] of uses) await limiter.consume(limit, key, 'anyone');
      return true;
    } catch (error) {
      if (isHearthError(error) && error.kind === 'rate_limited') return false;
      throw error;
    }
  }

  return {
    async forNew(network) {
      const byNetwork: [LimitName, string][] = network === null ? [] : [['home_fetches_a_minute', network]];
      return await within(...byNetwork, ['home_fetches_an_hour', network === null ? 'own' : 'others']);
    },
    async isSpent(home, why) {
      if (why === 'operator' || why === 'due' || why === 'use') return false;
      return (await limiter.peek('home_refetches_a_minute', home, 'anyone'))?.remaining === 0;
    },
    async forKnown(home, why, network) {
      if (why === 'operator' || why === 'due') return true;
      if (why !== 'use' && !(await within(['home_refetches_a_minute', home]))) return false;
      const from = network === null ? [] : [network];
      const keys = [await domainOf(home), ...from];
      return await within(...keys.map((key): [LimitName, string] => ['known_home_fetches_an_hour', key]));
    },
    async forBytes(home, points, network) {
      const limit = 'home_document_bytes_a_day';
      return await allWithin([
        { limit, key: await domainOf(home), points },
        { limit, key: network, points },
        { limit: 'strangers_document_bytes_a_day', key: 'all', points },
      ]);
    },
  };
}
