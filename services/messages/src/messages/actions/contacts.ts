import type { Bus } from '@hearth/bus';
import { createLru } from '@hearth/cache/lru';
import type { Database } from '@hearth/db';
import { hasWrittenTo } from '../db/contacts.ts';

/**
 * Pairs who have been in contact. The fact only changes when a remote home begins anew, so it can be cached.
 */
export interface Contacts {
  /** Whether any of `owners` has written to any of `others`. */
  knows(owners: readonly string[], others: readonly string[]): Promise<boolean>;
}

export function createContacts({
  bus,
  database,
}: {
  bus: Pick<Bus, 'onSignal'>;
  database: Database;
}): Contacts {
  const known = createLru<true>(100_000);
  bus.onSignal('message_contacts', () => known.clear());
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
