import { day } from '@hearth/clock';
import { fragment, raw, sql } from '@hearth/db';
import type { Removal } from '@hearth/runtime';

/** Tables whose rows expire, with the expiry expression and the row's key. */
const tables = {
  keys: { endsAt: fragment`ends_at`, key: fragment`id` },
  app_keys: { endsAt: fragment`ends_at`, key: fragment`id` },
  sessions: { endsAt: fragment`ends_at`, key: fragment`id` },
  /** Codes with wrong tries are kept longer: see `wrongTriesDays`. */
  email_codes: { endsAt: fragment`expires_at + least(tries, 1) * interval '89 days'`, key: fragment`id` },
  account_mails: { endsAt: fragment`expires_at`, key: fragment`id` },
  passkey_challenges: { endsAt: fragment`expires_at`, key: fragment`challenge` },
  notes: { endsAt: fragment`expires_at`, key: fragment`id` },
  feedback: { endsAt: fragment`at`, key: fragment`id` },
  oauth_objects: { endsAt: fragment`expires_at`, key: fragment`model, id_hash` },
} as const;

/** How long a caller with an ended key learns that it ended; after that the key is unknown. */
export const keysKeptMs = 90 * day;

type EndingTable = keyof typeof tables;

/** Deletes at most `limit` rows that ended before the given moment. Returns the count. */
export function endedIn(table: EndingTable): Removal {
  const { endsAt, key } = tables[table];
  const from = raw(`identity.${table}`);
  return async (tx, before, limit) =>
    await tx.execute(sql`
      delete from ${from} where (${key}) in (
        select ${key} from ${from} where ${endsAt} < ${before} limit ${limit} for update skip locked)`);
}
