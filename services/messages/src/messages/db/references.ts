import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import {
  findByReference,
  type KnownAs,
  type ReferencesOf,
  saveReferences,
} from '../../shared/db/remote-ids.ts';

/** References of other homes; many that come in one push are read and written by one statement. */
export interface References {
  find(question: ReferencesOf): Promise<Map<string, string>>;
  save(references: readonly KnownAs[]): Promise<void>;
}

export function createReferences(database: Pick<Database, 'db' | 'statement'>): References {
  const finds = createCoalescer<ReferencesOf, Map<string, string>>({
    maxInFlight: 1,
    name: 'batch of references',
    run: (questions) => findByReference(database.db, questions),
  });
  const saves = createCoalescer<readonly KnownAs[], undefined>({
    maxInFlight: 1,
    name: 'batch of new references',
    async run(batch) {
      await database.statement((tx) => saveReferences(tx, batch.flat()));
      return batch.map(() => undefined);
    },
  });
  return { find: finds.add, save: saves.add };
}
