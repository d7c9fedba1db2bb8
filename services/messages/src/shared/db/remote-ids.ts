import { type Db, named, type Tx } from '@hearth/db';

/** local uuid -> reference, for messages and threads that another home began. */
export async function findReferences(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; reference: string }>(named('messages_find_references')`
    select id, reference from messages.remote_ids where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

export interface ReferencesOf {
  recipient: string;
  references: readonly {
    reference: string;
    /** uuid to assign if the reference is new; null: look up only. */
    id: string | null;
  }[];
}

/**
 * Resolves references of other homes to local uuids, for each question; assigns the given uuids to new
 * references. Unknown references are absent, and known ones keep their uuid.
 */
export async function noteReferences(
  tx: Tx,
  questions: readonly ReferencesOf[],
): Promise<Map<string, string>[]> {
  const asked = questions.flatMap(({ recipient, references }, n) =>
    references.map((reference) => ({ n, recipient, ...reference })),
  );
  const rows = await tx.query<{ n: number; id: string; reference: string }>(named('messages_note_references')`
    with asked as (
      select * from unnest(${asked.map(({ n }) => n)}::int[],
        ${asked.map(({ recipient }) => recipient)}::uuid[],
        ${asked.map(({ reference }) => reference)}::text[], ${asked.map(({ id }) => id)}::uuid[])
        as asked (n, recipient, reference, id)),
    noted as (
      insert into messages.remote_ids (recipient, reference, id)
      select recipient, reference, id from asked where id is not null order by recipient, reference
      on conflict do nothing)
    select q.n, r.id, q.reference
    from asked q
    cross join lateral (
      select p.id from messages.remote_ids p
      where p.recipient = q.recipient and p.reference = q.reference limit 1) r`);
  const found = questions.map(() => new Map<string, string>());
  for (const { n, id, reference } of rows) found[n]!.set(reference, id);
  return found;
}

/** The local copies of the message with this reference, one a recipient. */
export function findReceived(db: Db, reference: string): Promise<{ id: string; recipient: string }[]> {
  return db.query(named('messages_find_received')`
    select id, recipient from messages.remote_ids where reference = ${reference}`);
}
