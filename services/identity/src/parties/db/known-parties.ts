import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import { findPartiesFor, type PartyQuestion, type PartyRow } from '../../shared/db/parties.ts';

/** Known parties of other homes; lookups from one push share a statement. */
export interface KnownParties {
  /** Candidates for the party in question; may include others. */
  find(question: PartyQuestion): Promise<PartyRow[]>;
}

export function createKnownParties({ db }: Pick<Database, 'db'>): KnownParties {
  const finds = createCoalescer<PartyQuestion, PartyRow[]>({
    maxInFlight: 1,
    name: 'batch of parties',
    async run(questions) {
      const rows = await findPartiesFor(db, questions);
      return questions.map(() => rows);
    },
  });
  return { find: finds.add };
}
