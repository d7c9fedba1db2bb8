import { isHearthError } from '@hearth/errors';
import type { Host } from '@hearth/runtime';

/** Daily budget (UTC) of items to people who do not know the sender, by the domain and network of the sending home. */
export interface FirstContacts {
  /** Returns how many more are accepted today. */
  left(domain: string, network: string | undefined): Promise<number>;
  count(domain: string, network: string | undefined, count: number): Promise<void>;
}

const limit = 'home_first_contacts_a_day';
const unbounded = 1_000_000;

export function createFirstContacts({ clock, limiter }: Pick<Host, 'clock' | 'limiter'>): FirstContacts {
  const keys = (domain: string, network: string | undefined) => {
    const date = new Date(clock.now()).toISOString().slice(0, 10);
    return [`${date} ${domain}`, ...(network === undefined ? [] : [`${date} ${network}`])];
  };
  return {
    async left(domain, network) {
      const usages = await Promise.all(
        keys(domain, network).map((key) => limiter.peek(limit, key, 'anyone')),
      );
      return Math.min(...usages.map((usage) => usage?.remaining ?? unbounded));
    },
    async count(domain, network, count) {
      for (const key of keys(domain, network)) {
        try {
          await limiter.consume(limit, key, 'anyone', count);
        } catch (error) {
          // Concurrent pushes used up the rest.
          if (!isHearthError(error) || error.kind !== 'rate_limited') throw error;
        }
      }
    },
  };
}
