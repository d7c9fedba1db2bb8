import { createCoalescer } from '@hearth/coalesce';
import { type Database, type Db, named } from '@hearth/db';
import { noteReferences, type ReferencesOf } from '../../shared/db/remote-ids.ts';

/** References of other homes; those from one push share a statement. */
export interface References {
  /** Known references with their local uuids; assigns the given uuids to the others. */
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

/** reference -> local uuid, for messages and threads that the viewer received or holds. */
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
