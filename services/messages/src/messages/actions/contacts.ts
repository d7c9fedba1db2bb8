import type { Database } from '@hearth/db';
import { LRUCache } from 'lru-cache';
import { hasWrittenTo } from '../db/contacts.ts';

/** The pairs that are no strangers to each other. They never become strangers again, so that they may be kept. */
export interface Contacts {
  /** Whether one of `owners` has written to one of `others`. */
  knows(owners: readonly string[], others: readonly string[]): Promise<boolean>;
}

export function createContacts(database: Database): Contacts {
  const known = new LRUCache<string, true>({ max: 100_000 });
  return {
    async knows(owners, others) {
      const key = `${owners.join()} ${others.join()}`;
      if (known.get(key)) return true;
      const found = await hasWrittenTo(database.db, owners, others);
      if (found) known.set(key, true);
      return found;
    },
  };
}
