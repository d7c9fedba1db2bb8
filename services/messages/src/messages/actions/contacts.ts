import type { Bus } from '@hearth/bus';
import { createLru } from '@hearth/cache/lru';
import type { Database } from '@hearth/db';
import { hasWrittenTo } from '../db/contacts.ts';

/** The pairs that are no strangers to each other. They stay so, but for those of a home that began anew, so that they may be kept. */
export interface Contacts {
  /** Whether one of `owners` has written to one of `others`. */
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
