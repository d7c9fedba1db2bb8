import { type Db, named, type Tx } from '@hearth/db';

/** The references of messages and threads that another home began, by their uuids here. */
export async function findReferences(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; reference: string }>(named('messages_find_references')`
    select id, reference from messages.remote_ids where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

export interface ReferencesOf {
  recipient: string;
  references: readonly {
    reference: string;
    /** uuid for which it stands from now on where it is not known; null to look alone. */
    id: string | null;
  }[];
}

/**
 * The uuids here of what another home began, by their references, for each question: none for a reference that came with nothing
 * before. One that is known keeps what it stands for.
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

/** The message of that reference at each of its recipients. */
export function findReceived(db: Db, reference: string): Promise<{ id: string; recipient: string }[]> {
  return db.query(named('messages_find_received')`
    select id, recipient from messages.remote_ids where reference = ${reference}`);
}
