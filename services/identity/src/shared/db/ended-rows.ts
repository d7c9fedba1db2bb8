import type { Tx } from '@hearth/db';

/** The tables whose rows end by themselves: the column of that moment, and the key of a row. */
const tables = {
  keys: { endsAt: 'ends_at', key: 'id' },
  app_keys: { endsAt: 'ends_at', key: 'id' },
  sessions: { endsAt: 'ends_at', key: 'id' },
  email_codes: { endsAt: 'expires_at', key: 'id' },
  account_mails: { endsAt: 'expires_at', key: 'id' },
  passkey_challenges: { endsAt: 'expires_at', key: 'challenge' },
  oauth_objects: { endsAt: 'expires_at', key: 'model, id_hash' },
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
  return await tx.execute({
    text: `
      delete from identity.${table}
      where (${key}) in (
        select ${key} from identity.${table} where ${endsAt} < $1 limit $2 for update skip locked)`,
    values: [moment, limit],
  });
}
