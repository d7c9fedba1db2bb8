import { createCoalescer } from '@hearth/coalesce';
import { type Database, type Db, named } from '@hearth/db';
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

/** The uuids here, by reference, of the messages and threads that came to a viewer, or that they see first for another. */
export async function findNoted(
  db: Db,
  viewer: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; reference: string }>(named('messages_find_noted')`
    select r.id, r.reference from messages.remote_ids r
    where r.reference = any(${references}::text[])
      and (r.recipient = ${viewer} or exists (
        select 1 from messages.messages m where m.holder = ${viewer} and (m.id = r.id or m.thread = r.id)))
    order by r.recipient = ${viewer}`);
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}
