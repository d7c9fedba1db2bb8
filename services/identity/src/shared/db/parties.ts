import { type Db, fragment, lockName, named, type Tx } from '@hearth/db';

/** A person or AI of another home. */
export interface PartyRow {
  id: string;
  home: string;
  /** The party's id at its home; null until the home has told it. */
  remoteId: string | null;
  /** The full address; null once it belongs to another party. */
  address: string | null;
  person: boolean;
  name: string;
  /** AiStatus */
  status: number;
}

const columns = fragment`id, home, remote_id as "remoteId", address, person, name, status`;

/** Parties with these uuids or at these addresses. */
export function findParties(
  db: Db,
  { ids = [], addresses = [] }: { ids?: readonly string[]; addresses?: readonly string[] },
): Promise<PartyRow[]> {
  return db.query(named('identity_find_parties')`
    select ${columns} from identity.parties where id = any(${ids}::uuid[]) or address = any(${addresses})`);
}

/** The party with this id at its home. */
export function findPartyByRemoteId(db: Db, home: string, remoteId: string): Promise<PartyRow | null> {
  return db.maybeOne(named('identity_find_party_by_remote_id')`
    select ${columns} from identity.parties where home = ${home} and remote_id = ${remoteId}`);
}

export interface PartyQuestion {
  home: string;
  /** null if unknown. */
  remoteId: string | null;
  address: string;
}

/** The union for many questions: parties with the id at the home, and parties at the address. */
export function findPartiesFor(db: Db, questions: readonly PartyQuestion[]): Promise<PartyRow[]> {
  return db.query(named('identity_find_parties_for')`
    select ${columns} from identity.parties where address = any(${questions.map(({ address }) => address)})
    union
    select p.id, p.home, p.remote_id, p.address, p.person, p.name, p.status
    from unnest(${questions.map(({ home }) => home)}::text[],
      ${questions.map(({ remoteId }) => remoteId)}::text[]) as q (home, remote_id)
    cross join lateral (
      select * from identity.parties known
      where known.home = q.home and known.remote_id = q.remote_id limit 1) p`);
}

/**
 * Forgets the ids of a home's parties met up to `before`, and dates them just after it. Returns their uuids.
 */
export async function forgetRemoteIds(tx: Tx, home: string, before: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(named('identity_forget_remote_ids')`
    update identity.parties set remote_id = null, met_at = ${new Date(before.getTime() + 1)}
    where home = ${home} and met_at <= ${before} returning id`);
  return rows.map(({ id }) => id);
}

/** Clears the address of a party that is gone. */
export async function freeAddress(tx: Tx, party: string): Promise<void> {
  await tx.execute(named('identity_free_address_of')`
    update identity.parties set address = null where id = ${party}`);
}

/** Serializes changes to the home's parties until the end of the transaction. */
export async function lockPartiesOf(tx: Tx, home: string): Promise<void> {
  await lockName(tx, `identity.parties ${home}`);
}

/** Upserts a party and frees its address elsewhere. Returns the uuids of all changed parties. */
export async function saveParty(tx: Tx, party: PartyRow, at: Date): Promise<string[]> {
  const { id, home, remoteId, address, person, name, status } = party;
  const freed = await tx.query<{ id: string }>(named('identity_free_party_address')`
    update identity.parties set address = null where address = ${address} and id <> ${id} returning id`);
  await tx.query(named('identity_save_party')`
    insert into identity.parties (id, home, remote_id, address, person, name, status, met_at)
    values (${id}, ${home}, ${remoteId}, ${address}, ${person}, ${name}, ${status}, ${at})
    on conflict (id) do update set
      remote_id = excluded.remote_id, address = excluded.address, person = excluded.person,
      name = excluded.name, status = excluded.status`);
  return [id, ...freed.map((one) => one.id)];
}
