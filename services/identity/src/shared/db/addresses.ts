import { type Db, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** Assigns the address to the AI for good. Fails if it was ever another's: see `isTaken`. */
export async function insertAddress(tx: Tx, address: string, ai: string, now: Date): Promise<void> {
  await tx.execute(named('identity_insert_address')`
    insert into identity.addresses (address, ai, since) values (${address}, ${ai}, ${now})`);
}

/** Whether a write failed because the address is, or was, another AI's. */
export function isTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'addresses_pkey') || isUniqueViolation(error, 'ais_address_key');
}

/** The addresses among these that are, or were, not this AI's. */
export async function findTaken(db: Db, addresses: readonly string[], ai: string): Promise<Set<string>> {
  const rows = await db.query<{ address: string }>(sql`
    select address from identity.addresses where address = any(${addresses}) and ai is distinct from ${ai}`);
  return new Set(rows.map(({ address }) => address));
}

/** Gives an address to an AI, which may have had it before; false if it is, or was, another's. */
export async function takeAddress(tx: Tx, address: string, ai: string, now: Date): Promise<boolean> {
  const taken = await tx.execute(named('identity_take_address')`
    insert into identity.addresses as a (address, ai, since) values (${address}, ${ai}, ${now})
    on conflict (address) do update set ends_at = null where a.ai = excluded.ai`);
  return taken === 1;
}

/** Sets when an address of the AI stops working. */
export async function endAddress(tx: Tx, address: string, ai: string, endsAt: Date): Promise<void> {
  await tx.execute(
    sql`update identity.addresses set ends_at = ${endsAt} where address = ${address} and ai = ${ai}`,
  );
}

/** Ends every address of the AI but `keep`, as of `now`. */
export async function endOtherAddresses(tx: Tx, ai: string, keep: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.addresses set ends_at = ${now}
    where ai = ${ai} and address <> ${keep} and (ends_at is null or ends_at > ${now})`);
}
