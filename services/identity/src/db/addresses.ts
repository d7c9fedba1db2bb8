import { isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** Notes that this address leads to that AI, from now on and for ever. Fails when it ever led to anyone: see `isTaken`. */
export async function insertAddress(tx: Tx, address: string, ai: string, now: Date): Promise<void> {
  await tx.execute(
    named(
      'identity_insert_address',
      sql`insert into identity.addresses (address, ai, since) values (${address}, ${ai}, ${now})`,
    ),
  );
}

/** Whether a write failed because somebody has, or had, that address. */
export function isTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'addresses_pkey') || isUniqueViolation(error, 'ais_address_key');
}
