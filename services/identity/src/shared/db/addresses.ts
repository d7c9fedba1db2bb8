import { type Db, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** Notes that this address leads to that AI, from now on and for ever. Fails when it ever led to another: see `isTaken`. */
export async function insertAddress(tx: Tx, address: string, ai: string, now: Date): Promise<void> {
  await tx.execute(named('identity_insert_address')`
    insert into identity.addresses (address, ai, since) values (${address}, ${ai}, ${now})`);
}

/** Whether a write failed because another AI has, or had, that address. */
export function isTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'addresses_pkey') || isUniqueViolation(error, 'ais_address_key');
}

/** Those of `addresses` that lead, or once led, to another than that AI. */
export async function findTaken(db: Db, addresses: readonly string[], ai: string): Promise<Set<string>> {
  const rows = await db.query<{ address: string }>(sql`
    select address from identity.addresses where address = any(${addresses}) and ai is distinct from ${ai}`);
  return new Set(rows.map(({ address }) => address));
}

/** Gives an address to an AI, which may have had it before; false when it is, or was, another's. */
export async function takeAddress(tx: Tx, address: string, ai: string, now: Date): Promise<boolean> {
  const taken = await tx.execute(named('identity_take_address')`
    insert into identity.addresses as a (address, ai, since) values (${address}, ${ai}, ${now})
    on conflict (address) do update set ends_at = null where a.ai = excluded.ai`);
  return taken === 1;
}

/** Until when an address of that AI leads on. */
export async function endAddress(tx: Tx, address: string, ai: string, endsAt: Date): Promise<void> {
  await tx.execute(
    sql`update identity.addresses set ends_at = ${endsAt} where address = ${address} and ai = ${ai}`,
  );
}

/** Lets every address of that AI but one lead nowhere from `now` on. */
export async function endOtherAddresses(tx: Tx, ai: string, keep: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update identity.addresses set ends_at = ${now}
    where ai = ${ai} and address <> ${keep} and (ends_at is null or ends_at > ${now})`);
}
