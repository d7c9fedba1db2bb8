import { fragment, raw, sql, type Tx } from '@hearth/db';

/** The tables whose rows end by themselves: the column of that moment, and the key of a row. */
const tables = {
  keys: { endsAt: fragment`ends_at`, key: fragment`id` },
  app_keys: { endsAt: fragment`ends_at`, key: fragment`id` },
  sessions: { endsAt: fragment`ends_at`, key: fragment`id` },
  email_codes: { endsAt: fragment`expires_at`, key: fragment`id` },
  account_mails: { endsAt: fragment`expires_at`, key: fragment`id` },
  passkey_challenges: { endsAt: fragment`expires_at`, key: fragment`challenge` },
  notes: { endsAt: fragment`expires_at`, key: fragment`id` },
  feedback: { endsAt: fragment`at`, key: fragment`id` },
  oauth_objects: { endsAt: fragment`expires_at`, key: fragment`model, id_hash` },
} as const;

export type EndingTable = keyof typeof tables;

/** Removes rows that ended before `moment`, at most `limit`; how many. */
export async function deleteEndedBefore(
  tx: Tx,
  table: EndingTable,
  moment: Date,
  limit: number,
): Promise<number> {
  const { endsAt, key } = tables[table];
  const from = raw(`identity.${table}`);
  return await tx.execute(sql`
    delete from ${from} where (${key}) in (
      select ${key} from ${from} where ${endsAt} < ${moment} limit ${limit} for update skip locked)`);
}
