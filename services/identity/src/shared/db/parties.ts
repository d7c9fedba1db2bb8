import type { Db, Tx } from '@hearth/db';

/** A person or AI of another home. */
export interface PartyRow {
  id: string;
  home: string;
  /** The id that their home gave them; null until it said it. */
  remoteId: string | null;
  /** The full address; null for one whose address belongs to another now. */
  address: string | null;
  person: boolean;
  name: string;
  /** AiStatus */
  status: number;
}

const columns = 'id, home, remote_id as "remoteId", address, person, name, status';

/** Those with these uuids, and those at these addresses. */
export function findParties(
  db: Db,
  { ids = [], addresses = [] }: { ids?: readonly string[]; addresses?: readonly string[] },
): Promise<PartyRow[]> {
  return db.query({
    name: 'identity_find_parties',
    text: `select ${columns} from identity.parties where id = any($1::uuid[]) or address = any($2)`,
    values: [ids, addresses],
  });
}

/** The one with that id at its home. */
export function findPartyByRemoteId(db: Db, home: string, remoteId: string): Promise<PartyRow | null> {
  return db.maybeOne({
    name: 'identity_find_party_by_remote_id',
    text: `select ${columns} from identity.parties where home = $1 and remote_id = $2`,
    values: [home, remoteId],
  });
}

export interface PartyQuestion {
  home: string;
  /** null where it is not known. */
  remoteId: string | null;
  address: string;
}

/** For many questions at once: those with that id at their home, and those at that address. */
export function findPartiesFor(db: Db, questions: readonly PartyQuestion[]): Promise<PartyRow[]> {
  return db.query({
    name: 'identity_find_parties_for',
    text: `
      select ${columns} from identity.parties where address = any($3)
      union
      select p.id, p.home, p.remote_id, p.address, p.person, p.name, p.status
      from unnest($1::text[], $2::text[]) as q (home, remote_id)
      cross join lateral (
        select * from identity.parties known
        where known.home = q.home and known.remote_id = q.remote_id limit 1) p`,
    values: [
      questions.map(({ home }) => home),
      questions.map(({ remoteId }) => remoteId),
      questions.map(({ address }) => address),
    ],
  });
}

/** Those of that home have no id there any more; answers their uuids. */
export async function forgetRemoteIds(tx: Tx, home: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'identity_forget_remote_ids',
    text: 'update identity.parties set remote_id = null where home = $1 returning id',
    values: [home],
  });
  return rows.map(({ id }) => id);
}

/** The party, which its home says is gone, has no address any more. */
export async function freeAddress(tx: Tx, party: string): Promise<void> {
  await tx.execute({
    name: 'identity_free_address_of',
    text: 'update identity.parties set address = null where id = $1',
    values: [party],
  });
}

/** Until the transaction ends no other changes what is known of that home. */
export async function lockPartiesOf(tx: Tx, home: string): Promise<void> {
  await tx.query({
    name: 'identity_lock_parties',
    text: `select pg_advisory_xact_lock(hashtextextended('identity.parties ' || $1, 0))`,
    values: [home],
  });
}

/** Notes a party as it is now; whoever else had its address has none any more. */
export async function saveParty(tx: Tx, party: PartyRow, at: Date): Promise<void> {
  const { id, home, remoteId, address, person, name, status } = party;
  await tx.query({
    name: 'identity_free_party_address',
    text: 'update identity.parties set address = null where address = $1 and id <> $2',
    values: [address, id],
  });
  await tx.query({
    name: 'identity_save_party',
    text: `
      insert into identity.parties (id, home, remote_id, address, person, name, status, met_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (id) do update set
        remote_id = excluded.remote_id, address = excluded.address, person = excluded.person,
        name = excluded.name, status = excluded.status`,
    values: [id, home, remoteId, address, person, name, status, at],
  });
}
