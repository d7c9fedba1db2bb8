import { type Db, named, sql, type Tx } from '@hearth/db';

export interface NewSession {
  /** uuid */
  id: string;
  person: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  /** When the person last proved who they are; null for a guest. */
  authenticatedAt: Date | null;
  /** How they proved it; empty for a guest. */
  proof: '' | 'passkey' | 'email';
  endsAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession, now: Date): Promise<void> {
  await tx.execute(named('identity_insert_session')`
    insert into identity.sessions (id, person, hash, authenticated_at, proof, created_at, ends_at)
    values (${session.id}, ${session.person}, ${session.hash}, ${session.authenticatedAt}, ${session.proof},
      ${now}, ${session.endsAt})`);
}

/** Ends a person's session; false if it had ended before. */
export async function deleteSession(tx: Tx, id: string, person: string): Promise<boolean> {
  const deleted = await tx.execute(
    sql`delete from identity.sessions where id = ${id} and person = ${person}`,
  );
  return deleted === 1;
}

/** Ends all sessions of a person except `but`. Returns their ids. */
export async function deleteSessionsOf(tx: Tx, person: string, but: string | null = null): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    delete from identity.sessions where person = ${person} and id is distinct from ${but}::uuid returning id`);
  return rows.map(({ id }) => id);
}

export interface SessionRow {
  /** uuid */
  id: string;
  device: string;
  network: string;
  createdAt: Date;
  /** YYYY-MM-DD in UTC. */
  lastUsedOn: string | null;
  /** When the session expires if it is not used before. */
  endsAt: Date;
}

/**
 * SQL for the end of session `s`. An unused session ends some days after the day of its last use. A guest's
 * does not, for guests have no other way back.
 *
 * @param idleDays a parameter of the statement
 */
export const sessionEndSql = (idleDays: string) => `
  case when s.authenticated_at is null then s.ends_at
    else least(s.ends_at, greatest(s.created_at, (s.last_used_on + 1)::timestamp at time zone 'UTC')
      + ${idleDays}::int * interval '1 day') end`;

/** A person's live sessions, last used first. */
export async function listSessions(
  db: Db,
  person: string,
  idleDays: number,
  now: Date,
): Promise<SessionRow[]> {
  return await db.query<SessionRow>({
    name: 'identity_list_sessions',
    text: `
      select s.id, s.device, s.network, s.created_at as "createdAt", s.last_used_on as "lastUsedOn",
        ${sessionEndSql('$3')} as "endsAt"
      from identity.sessions s where s.person = $1 and ${sessionEndSql('$3')} > $2
      order by coalesce(s.last_used_on, s.created_at::date) desc, s.created_at desc, s.id desc
      limit 200`,
    values: [person, now, idleDays],
  });
}

/** Records that the person proved who they are within the session. */
export async function updateAuthenticated(
  tx: Tx,
  id: string,
  to: { authenticatedAt: Date; proof: 'passkey' | 'email' },
): Promise<void> {
  await tx.execute(sql`
    update identity.sessions set authenticated_at = ${to.authenticatedAt}, proof = ${to.proof}
    where id = ${id}`);
}

/** Records the proof and replaces the session's token and end. False if the session has ended. */
export async function updateSession(
  tx: Tx,
  { id, person }: { id: string; person: string },
  to: Pick<NewSession, 'hash' | 'authenticatedAt' | 'proof' | 'endsAt'>,
): Promise<boolean> {
  const updated = await tx.execute(sql`
    update identity.sessions
    set hash = ${to.hash}, authenticated_at = ${to.authenticatedAt}, proof = ${to.proof}, ends_at = ${to.endsAt}
    where id = ${id} and person = ${person}`);
  return updated === 1;
}
