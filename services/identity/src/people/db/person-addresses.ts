import { type Db, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** Gives an address to a person, who may have had it before; false if it is, or was, someone else's. */
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

/** Ends a person's address at `endsAt`; it is never given to anyone else. */
export async function endPersonAddress(tx: Tx, address: string, person: string, endsAt: Date): Promise<void> {
  await tx.execute(sql`
    update identity.addresses set ends_at = ${endsAt} where address = ${address} and person = ${person}`);
}

/** Ends all of a person's addresses at `endsAt`, unless they end earlier. */
export async function endAddressesOf(tx: Tx, person: string, endsAt: Date): Promise<void> {
  await tx.execute(sql`
    update identity.addresses set ends_at = ${endsAt}
    where person = ${person} and (ends_at is null or ends_at > ${endsAt})`);
}

/** The addresses among these that are, or ever were, a person's or an AI's. */
export async function listTaken(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ address: string }>(named('identity_list_taken_addresses')`
    select address from identity.addresses where address = any(${addresses})`);
  return new Set(rows.map(({ address }) => address));
}

/** Whether a write failed because the handle is, or was, someone else's. */
export function isHandleTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'addresses_pkey') || isUniqueViolation(error, 'people_handle_key');
}
