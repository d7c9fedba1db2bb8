import type { Db } from '@hearth/db';
import { sessionEndSql } from '../../shared/db/sessions.ts';
import type { AgeBandWord } from '../../shared/domain/age-band.ts';

/** A bearer credential to look up. */
export interface AskedCredential {
  /** SHA-256 of the credential. */
  hash: Buffer;
  /** uuid of the person or AI that an app acts for. */
  acting: string | null;
}

/** A credential with its AI, person, app and grant; valid or not. */
export interface CredentialRow {
  hash: Buffer;
  /** key: an AI's; app: an app's; session: a person's; token: a grant's access token. */
  kind: 'key' | 'app' | 'session' | 'token';
  /** For an AI's key made by someone else: their uuid. */
  keyMadeBy: string | null;
  /** For an AI's key: uuid of the app that made it. */
  keyApp: string | null;
  /** Copied from the lookup; app keys only. */
  acting: string | null;
  endsAt: Date | null;
  /** When the credential, or the AI, app, grant or person behind it, ended. */
  revokedAt: Date | null;
  /** When the suspensions of the AI, the person and the app end, and their reasons. */
  aiUntil: Date | null;
  aiReason: string | null;
  personUntil: Date | null;
  personReason: string | null;
  appUntil: Date | null;
  appReason: string | null;
  /** uuid of the acting AI; for an app key, of the held AI that the app acts for. */
  ai: string | null;
  address: string | null;
  aiName: string | null;
  status: 'claimed' | 'vouched' | 'unclaimed' | null;
  /** The permissions of the AI, or the scopes of the token. */
  permissions: string[] | null;
  group: string | null;
  /** uuid of the session's person, the AI's owner, or the held person that the app acts for. */
  person: string | null;
  handle: string | null;
  personName: string | null;
  /** BCP 47; empty if the person chose none. */
  language: string | null;
  guest: boolean;
  /** The person's age band at the last update, and their sealed month of birth; see `Ages.bandOf`. */
  ageBand: AgeBandWord | null;
  birth: Buffer | null;
  aiShare: boolean;
  /** Whether the person has a guardian. */
  guarded: boolean;
  app: string | null;
  appName: string | null;
  session: string | null;
  authenticatedAt: Date | null;
  proof: 'passkey' | 'email' | '';
  grant: string | null;
  /** The OAuth client of the grant. */
  client: string | null;
  /** The audience of the token, as stored by the authorization server. */
  audience: unknown;
}

/**
 * A sub-select hides the list's length from the planner, so custom plans look no cheaper than the generic
 * plan and Postgres keeps the generic one. Otherwise it would replan each lookup, which takes longer than
 * running it.
 */
const hashes = '(select $1::bytea[])::bytea[]';

/** Columns of a person `p`, who may be missing. */
const personColumns = `
  p.handle, p.name as "personName", p.language, coalesce(p.guest, false) as guest,
  p.age_band as "ageBand", p.birth, coalesce(p.ai_share, false) as "aiShare",
  exists (select from identity.guardianships g where g.child = p.id) as guarded,
  p.suspended_until as "personUntil", p.suspend_reason as "personReason"`;

const keys = `
  select k.hash, 'key' as kind, null::uuid as acting, k.ends_at as "endsAt",
    least(a.revoked_at, p.deleted_at) as "revokedAt",
    a.id as ai, a.address, a.name as "aiName", a.status, a.permissions, a.group_id as "group",
    a.owner as person, ${personColumns},
    null::uuid as app, null as "appName",
    null::uuid as session, null::timestamptz as "authenticatedAt", '' as proof,
    null as "grant", null::jsonb as audience, k.made_by as "keyMadeBy",
    a.suspended_until as "aiUntil", a.suspend_reason as "aiReason",
    null::timestamptz as "appUntil", null as "appReason", k.through as "keyApp",
    null as client
  from identity.keys k
    join identity.ais a on a.id = k.ai
    left join identity.people p on p.id = a.owner
  where k.hash = any(${hashes})`;

/** An app holds an AI through its owner, and a group's AI through the group. */
const appKeys = `
  select k.hash, 'app', asked.acting, k.ends_at, app.revoked_at,
    a.id, a.address, a.name, a.status, a.permissions, a.group_id,
    p.id, ${personColumns},
    app.id, app.name, null, null, '', null, null, null, a.suspended_until, a.suspend_reason,
    app.suspended_until, app.suspend_reason, null, null
  from unnest(${hashes}, (select $2::uuid[])) as asked (hash, acting)
    join identity.app_keys k on k.hash = asked.hash
    join identity.apps app on app.id = k.app
    left join lateral (
      select ai.* from identity.ais ai left join identity.people owner on owner.id = ai.owner
      where ai.id = asked.acting and ai.revoked_at is null
        and (ai.group_app = app.id or (owner.app = app.id and owner.deleted_at is null))) a on true
    left join identity.people p
      on p.id = coalesce(a.owner, asked.acting) and p.app = app.id and p.deleted_at is null`;

const sessions = `
  select s.hash, 'session', null, ${sessionEndSql('$3')}, p.deleted_at,
    null, null, null, null, null, null,
    p.id, ${personColumns},
    null, null, s.id, s.authenticated_at, s.proof, null, null, null, null, null, null, null, null, null
  from identity.sessions s join identity.people p on p.id = s.person
  where s.hash = any(${hashes})`;

/** A grant ends when the AI changes owner. */
const accessTokens = `
  select t.id_hash, 'token', null, t.expires_at,
    least(g.ended_at, t.consumed_at, a.revoked_at, p.deleted_at,
      case when a.owner is distinct from g.person then g.created_at end),
    a.id, a.address, a.name, a.status, string_to_array(t.payload ->> 'scope', ' '), a.group_id,
    a.owner, ${personColumns},
    null, null, null, null, '', g.id, t.payload -> 'aud', null, a.suspended_until, a.suspend_reason,
    null, null, null, g.client_id
  from identity.oauth_objects t
    join identity.oauth_grants g on g.id = t.grant_id
    join identity.ais a on a.id = g.ai
    left join identity.people p on p.id = a.owner
  where t.model = 'AccessToken' and t.id_hash = any(${hashes})`;

/**
 * The credentials with these hashes; an app key has one row for each lookup.
 *
 * @param idleDays days after which an unused session ends
 */
export async function findCredentials(
  db: Db,
  asked: readonly AskedCredential[],
  idleDays: number,
): Promise<CredentialRow[]> {
  return await db.query<CredentialRow>({
    name: 'identity_find_credentials',
    text: [keys, appKeys, sessions, accessTokens].join('\nunion all'),
    values: [asked.map(({ hash }) => hash), asked.map(({ acting }) => acting), idleDays],
  });
}
