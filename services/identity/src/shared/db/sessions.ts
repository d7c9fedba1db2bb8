import { named, sql, type Tx } from '@hearth/db';

export interface NewSession {
  /** uuid */
  id: string;
  person: string;
  /** SHA-256 of its token. */
  hash: Buffer;
  /** When the person last proved who they are; null for a guest. */
  authenticatedAt: Date | null;
  /** How; empty for a guest. */
  proof: '' | 'passkey' | 'email';
  endsAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession, now: Date): Promise<void> {
  await tx.execute(
    named(
      'identity_insert_session',
      sql`
        insert into identity.sessions (id, person, hash, authenticated_at, proof, created_at, ends_at)
        values (${session.id}, ${session.person}, ${session.hash}, ${session.authenticatedAt}, ${session.proof},
          ${now}, ${session.endsAt})`,
    ),
  );
}

/** Ends a session of that person; false when it had ended before. */
export async function deleteSession(tx: Tx, id: string, person: string): Promise<boolean> {
  const deleted = await tx.execute(
    sql`delete from identity.sessions where id = ${id} and person = ${person}`,
  );
  return deleted === 1;
}

/** Ends every session of a person; their ids. */
export async function deleteSessionsOf(tx: Tx, person: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`delete from identity.sessions where person = ${person} returning id`,
  );
  return rows.map(({ id }) => id);
}

/** The person proved within a session who they are. */
export async function updateAuthenticated(
  tx: Tx,
  id: string,
  to: { authenticatedAt: Date; proof: 'passkey' | 'email' },
): Promise<void> {
  await tx.execute(sql`
    update identity.sessions set authenticated_at = ${to.authenticatedAt}, proof = ${to.proof}
    where id = ${id}`);
}
