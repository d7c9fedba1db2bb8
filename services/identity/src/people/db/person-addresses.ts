import { type Db, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** Gives an address to a person, who may have had it before; false when it is, or was, another's. */
export async function takePersonAddress(
  tx: Tx,
  address: string,
  person: string,
  now: Date,
): Promise<boolean> {
  const taken = await tx.execute(named('identity_take_person_address')`
    insert into identity.addresses as a (address, person, since) values (${address}, ${person}, ${now})
    on conflict (address) do update set ends_at = null where a.person = excluded.person`);
  return taken === 1;
}

/** From `endsAt` on that address of a person leads nowhere; it is given to no one else. */
export async function endPersonAddress(tx: Tx, address: string, person: string, endsAt: Date): Promise<void> {
  await tx.execute(sql`
    update identity.addresses set ends_at = ${endsAt} where address = ${address} and person = ${person}`);
}

/** The same for all of a person's, where they do not end before. */
export async function endAddressesOf(tx: Tx, person: string, endsAt: Date): Promise<void> {
  await tx.execute(sql`
    update identity.addresses set ends_at = ${endsAt}
    where person = ${person} and (ends_at is null or ends_at > ${endsAt})`);
}

/** Those that lead, or ever led, to a person or an AI. */
export async function listTaken(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ address: string }>(named('identity_list_taken_addresses')`
    select address from identity.addresses where address = any(${addresses})`);
  return new Set(rows.map(({ address }) => address));
}

/** Whether a write failed because another person has, or had, that handle. */
export function isHandleTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'addresses_pkey') || isUniqueViolation(error, 'people_handle_key');
}
