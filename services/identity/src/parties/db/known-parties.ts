import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import { findPartiesFor, type PartyQuestion, type PartyRow } from '../../shared/db/parties.ts';

/** Parties of other homes as they were met; many that come in one push are found by one statement. */
export interface KnownParties {
  /** Those who may be the one that is asked for, others among them. */
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
