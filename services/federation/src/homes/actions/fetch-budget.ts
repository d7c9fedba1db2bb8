import { isHearthError } from '@hearth/errors';
import type { LimitName, Use } from '@hearth/limits';
import type { Host } from '@hearth/runtime';
import { domainOf } from '../../shared/actions/domain-of.ts';
import type { FetchReason } from '../domain/fetch-plan.ts';

/** Counts the documents that others make this home fetch. */
export interface FetchBudget {
  /** Whether the document of a home never seen may be fetched now. @param network null when this home asks by itself */
  forNew(network: string | null): Promise<boolean>;
  /** Whether a home whose document is kept was fetched as often as others may cause: told from memory, before anything is read. */
  isSpent(home: string, why: FetchReason): Promise<boolean>;
  /** The same of a home whose document is kept. */
  forKnown(home: string, why: FetchReason, network: string | null): Promise<boolean>;
  /** Whether so many more bytes of a stranger's document may be kept, which a request from `network` made this home fetch. */
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
