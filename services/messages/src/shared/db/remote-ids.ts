import type { Db, Tx } from '@hearth/db';

/** The references of messages and threads that another home began, by their uuids here. */
export async function findReferences(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; reference: string }>({
    name: 'messages_find_references',
    text: 'select id, reference from messages.remote_ids where id = any($1::uuid[])',
    values: [ids],
  });
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}

export interface ReferencesOf {
  recipient: string;
  references: readonly string[];
}

/** The uuids here of what another home began, by their references, for each question: none for a reference that came with nothing. */
export async function findByReference(
  db: Db,
  questions: readonly ReferencesOf[],
): Promise<Map<string, string>[]> {
  const asked = questions.flatMap(({ recipient, references }, n) =>
    references.map((reference) => ({ n, recipient, reference })),
  );
  const rows = await db.query<{ n: number; id: string; reference: string }>({
    name: 'messages_find_by_reference',
    text: `
      select q.n, r.id, r.reference
      from unnest($1::int[], $2::uuid[], $3::text[]) as q (n, recipient, reference)
      cross join lateral (
        select p.id, p.reference from messages.remote_ids p
        where p.recipient = q.recipient and p.reference = q.reference limit 1) r`,
    values: [
      asked.map(({ n }) => n),
      asked.map(({ recipient }) => recipient),
      asked.map(({ reference }) => reference),
    ],
  });
  const found = questions.map(() => new Map<string, string>());
  for (const { n, id, reference } of rows) found[n]!.set(reference, id);
  return found;
}

/** The message of that reference at each of its recipients. */
export function findReceived(db: Db, reference: string): Promise<{ id: string; recipient: string }[]> {
  return db.query({
    name: 'messages_find_received',
    text: 'select id, recipient from messages.remote_ids where reference = $1',
    values: [reference],
  });
}

export interface KnownAs {
  recipient: string;
  reference: string;
  /** uuid */
  id: string;
}

/** Notes references; one that is known keeps what it stands for. */
export async function saveReferences(tx: Tx, references: readonly KnownAs[]): Promise<void> {
  await tx.query({
    name: 'messages_save_references',
    text: `
      insert into messages.remote_ids (recipient, reference, id)
      select * from unnest($1::uuid[], $2::text[], $3::uuid[]) as given (recipient, reference, id)
      order by recipient, reference
      on conflict do nothing`,
    values: [
      references.map(({ recipient }) => recipient),
      references.map(({ reference }) => reference),
      references.map(({ id }) => id),
    ],
  });
}
