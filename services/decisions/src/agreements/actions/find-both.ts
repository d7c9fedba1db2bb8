import type { Context } from '../context.ts';
import { type AgreementRow, findAgreements } from '../db/agreements.ts';
import { copied } from './copied.ts';

/** Those of these uuids, of this home and of others, in that order; whoever may see them. */
export async function findBoth(
  { copies, database }: Pick<Context, 'copies' | 'database'>,
  ids: readonly string[],
): Promise<AgreementRow[]> {
  const [own, others] = await Promise.all([findAgreements(database.db, ids), copies.byIds(ids)]);
  const found = new Map([...own, ...others.map(copied)].map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
