import { type Db, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

export interface PasskeyRow {
  /** The credential id. */
  id: Buffer;
  person: string;
  /** COSE key. */
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** A passkey as its person sees it. */
export interface OwnPasskeyRow extends Pick<PasskeyRow, 'id' | 'transports'> {
  /** uuid by which the person refers to it. */
  key: string;
  createdAt: Date;
  /** YYYY-MM-DD in UTC. */
  lastUsedOn: string | null;
}

export async function insertPasskey(tx: Tx, passkey: PasskeyRow & { key: string }, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into identity.passkeys (id, key, person, public_key, counter, transports, created_at)
    values (${passkey.id}, ${passkey.key}, ${passkey.person}, ${passkey.publicKey}, ${passkey.counter}, ${passkey.transports},
      ${now})`);
}

/** Whether a write failed because the passkey is registered already. */
export function isPasskeyTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'passkeys_pkey');
}

/** Locks the passkey with this credential id. */
export async function lockPasskey(tx: Tx, id: Uint8Array): Promise<PasskeyRow | null> {
  return await tx.maybeOne<PasskeyRow>(named('identity_lock_passkey')`
    select id, person, public_key as "publicKey", counter, transports
    from identity.passkeys where id = ${Buffer.from(id)} for update`);
}

/** A person's passkeys, oldest first. */
export async function listPasskeys(db: Db, person: string): Promise<OwnPasskeyRow[]> {
  return await db.query<OwnPasskeyRow>(sql`
    select id, key, transports, created_at as "createdAt", last_used_on as "lastUsedOn" from identity.passkeys where person = ${person} order by created_at, id`);
}

/** @param day YYYY-MM-DD in UTC */
export async function updatePasskeyUse(tx: Tx, id: Buffer, counter: number, day: string): Promise<void> {
  await tx.execute(sql`
    update identity.passkeys set counter = ${counter}, last_used_on = ${day} where id = ${id}`);
}

export async function deletePasskey(tx: Tx, person: string, key: string): Promise<void> {
  await tx.execute(sql`delete from identity.passkeys where person = ${person} and key = ${key}`);
}
