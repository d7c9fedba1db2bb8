import { type Db, lockName, named, sql, type Tx } from '@hearth/db';

export interface KeyRow {
  kid: string;
  x: string;
  /** Null for a key that no longer signs, and for a recovery key. */
  sealedSeed: Buffer | null;
  uses: string[];
  status: 'active' | 'next' | 'retired' | 'revoked';
  notBefore: Date;
  notAfter: Date | null;
  revokedAt: Date | null;
  activatedAt: Date | null;
  createdAt: Date;
}

/** Until the end of the transaction, no other process creates or changes keys. */
export async function lockKeys(tx: Tx): Promise<void> {
  await lockName(tx, 'federation.keys');
}

/** Returns every key that the home ever had, newest first, recovery keys last. */
export async function listKeys(db: Db): Promise<KeyRow[]> {
  return await db.query<KeyRow>(named('federation_list_keys')`
    select kid, x, sealed_seed as "sealedSeed", uses, status, not_before as "notBefore",
      not_after as "notAfter", revoked_at as "revokedAt", activated_at as "activatedAt",
      created_at as "createdAt"
    from federation.keys
    order by uses = '{recovery}', created_at desc, kid`);
}

/** Inserts a key, or updates what can change in its life. */
export async function writeKey(tx: Tx, key: KeyRow): Promise<void> {
  await tx.execute(sql`
    insert into federation.keys
      (kid, x, sealed_seed, uses, status, not_before, not_after, revoked_at, activated_at, created_at)
    values (${key.kid}, ${key.x}, ${key.sealedSeed}, ${key.uses}, ${key.status}, ${key.notBefore},
      ${key.notAfter}, ${key.revokedAt}, ${key.activatedAt}, ${key.createdAt})
    on conflict (kid) do update set status = excluded.status, sealed_seed = excluded.sealed_seed,
      not_after = excluded.not_after, revoked_at = excluded.revoked_at, activated_at = excluded.activated_at`);
}
