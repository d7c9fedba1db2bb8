import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import { noteReferences, type ReferencesOf } from '../../shared/db/remote-ids.ts';

/** References of other homes; many that come in one push are read and written by one statement. */
export interface References {
  /** Those that are known, by their uuids here; the others stand for the given uuids from now on. */
  note(question: ReferencesOf): Promise<Map<string, string>>;
}

export function createReferences(database: Pick<Database, 'statement'>): References {
  const notes = createCoalescer<ReferencesOf, Map<string, string>>({
    maxInFlight: 1,
    name: 'batch of references',
    run: (questions) => database.statement((tx) => noteReferences(tx, questions)),
  });
  return { note: notes.add };
}
