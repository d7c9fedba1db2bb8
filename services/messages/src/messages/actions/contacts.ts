import type { Database } from '@hearth/db';
import { LRUCache } from 'lru-cache';
import { hasWrittenTo } from '../db/contacts.ts';

/** Who has written to whom: they are no strangers to each other, and stay so, which is why it is remembered. */
export interface Contacts {
  /** Whether one of `owners` has written to one of `others`. */
  knows(owners: readonly string[], others: readonly string[]): Promise<boolean>;
}

const maxKnown = 100_000;

export function createContacts(database: Database): Contacts {
  const known = new LRUCache<string, true>({ max: maxKnown });
  return {
    async knows(owners, others) {
      const key = `${owners.join()} ${others.join()}`;
      if (known.get(key) !== undefined) return true;
      const found = await hasWrittenTo(database.db, owners, others);
      if (found) known.set(key, true);
      return found;
    },
  };
}
