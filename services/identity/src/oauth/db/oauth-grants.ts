import { type Db, fragment, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

export interface NewOAuthGrant {
  /** The authorization server's id of the grant. */
  id: string;
  /** uuid of the AI's owner. */
  person: string;
  /** uuid */
  ai: string;
  clientId: string;
  clientName: string;
  /** Scopes in lowercase, such as "read". */
  scopes: string[];
}

/** A grant in force, with the AI it acts as. */
export interface OAuthGrantRow extends NewOAuthGrant {
  createdAt: Date;
  /** YYYY-MM-DD in UTC. */
  lastUsedOn: string | null;
  address: string;
  name: string;
  platform: string;
}

export async function insertOAuthGrant(tx: Tx, grant: NewOAuthGrant, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into identity.oauth_grants (id, person, ai, client_id, client_name, scopes, created_at)
    values (${grant.id}, ${grant.person}, ${grant.ai}, ${grant.clientId}, ${grant.clientName}, ${grant.scopes},
      ${now})`);
}

/** Whether a write failed because the grant's id exists. */
export function isGrantTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'oauth_grants_pkey');
}

/** A grant ends with its AI, and when the AI changes owner. */
const selectLiveGrant = fragment`
  select g.id, g.person, g.ai, g.client_id as "clientId", g.client_name as "clientName", g.scopes,
    g.created_at as "createdAt", g.last_used_on as "lastUsedOn", a.address, a.name, a.platform
  from identity.oauth_grants g
    join identity.ais a on a.id = g.ai and a.revoked_at is null and a.owner = g.person
    join identity.people p on p.id = g.person and p.deleted_at is null
  where g.ended_at is null`;

export async function findOAuthGrant(db: Db, id: string): Promise<OAuthGrantRow | null> {
  return await db.maybeOne<OAuthGrantRow>(named('identity_find_oauth_grant')`
    ${selectLiveGrant} and g.id = ${id}`);
}

/** The grants of these people, newest first. */
export async function listOAuthGrants(
  db: Db,
  people: readonly string[],
  limit: number,
): Promise<OAuthGrantRow[]> {
  return await db.query<OAuthGrantRow>(named('identity_list_oauth_grants')`
    ${selectLiveGrant} and g.person = any(${people}) order by g.created_at desc, g.id desc limit ${limit}`);
}

/** Ends a grant. Returns the uuid of its AI, or null if the grant had ended before. */
export async function endOAuthGrant(tx: Tx, id: string, now: Date): Promise<string | null> {
  const row = await tx.maybeOne<{ ai: string }>(named('identity_end_oauth_grant')`
    update identity.oauth_grants set ended_at = ${now} where id = ${id} and ended_at is null returning ai`);
  return row?.ai ?? null;
}

/** uuid of the AI of a grant, ended or not. */
export async function findAiOfGrant(db: Db, id: string): Promise<string | null> {
  const row = await db.maybeOne<{ ai: string }>(sql`select ai from identity.oauth_grants where id = ${id}`);
  return row?.ai ?? null;
}

/** At most `limit` grants made before `moment` without any usable code or token. */
export async function listIdleGrants(db: Db, moment: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select g.id from identity.oauth_grants g
    where g.ended_at is null and g.created_at < ${moment} and not exists (
      select from identity.oauth_objects o
      where o.grant_id = g.id and o.model in ('AuthorizationCode', 'AccessToken', 'RefreshToken'))
    order by g.created_at limit ${limit}`);
  return rows.map(({ id }) => id);
}
