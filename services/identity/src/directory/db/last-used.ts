import { named, type Tx } from '@hearth/db';

export interface CredentialUse {
  /** SHA-256 of the credential. */
  hash: Buffer;
  /** YYYY-MM-DD in UTC. */
  day: string;
  /** Description of the session's browser; empty if unknown. */
  device: string;
  network: string;
}

/**
 * Advances the last-used day of keys, sessions and grants, and the browser and network of sessions. Each hash
 * may occur once and belongs to a single table. Rows are locked in the order of their ids.
 */
export async function updateLastUsed(tx: Tx, uses: readonly CredentialUse[]): Promise<void> {
  await tx.execute(named('identity_update_last_used')`
    with uses as (select * from unnest(${uses.map((use) => use.hash)}::bytea[],
      ${uses.map((use) => use.day)}::date[], ${uses.map((use) => use.device)}::text[],
      ${uses.map((use) => use.network)}::text[]) as u (hash, day, device, network)),
      of_ais as (
        select t.id, u.day from uses u join identity.keys t on t.hash = u.hash
        where t.last_used_on is null or t.last_used_on < u.day
        order by t.id for no key update of t),
      of_apps as (
        select t.id, u.day from uses u join identity.app_keys t on t.hash = u.hash
        where t.last_used_on is null or t.last_used_on < u.day
        order by t.id for no key update of t),
      of_people as (
        select t.id, u.day, coalesce(nullif(u.device, ''), t.device) as device,
          coalesce(nullif(u.network, ''), t.network) as network
        from uses u join identity.sessions t on t.hash = u.hash
        where t.last_used_on is null or t.last_used_on < u.day
          or (u.device <> '' and u.device <> t.device) or (u.network <> '' and u.network <> t.network)
        order by t.id for no key update of t),
      of_grants as (
        select t.id, u.day
        from uses u
          join identity.oauth_objects o on o.model = 'AccessToken' and o.id_hash = u.hash
          join identity.oauth_grants t on t.id = o.grant_id
        where t.last_used_on is null or t.last_used_on < u.day
        order by t.id for no key update of t),
      ais as (update identity.keys t set last_used_on = of_ais.day from of_ais where t.id = of_ais.id),
      apps as (update identity.app_keys t set last_used_on = of_apps.day from of_apps where t.id = of_apps.id),
      people as (
        update identity.sessions t
        set last_used_on = of_people.day, device = of_people.device, network = of_people.network
        from of_people where t.id = of_people.id)
    update identity.oauth_grants t set last_used_on = of_grants.day from of_grants where t.id = of_grants.id`);
}
