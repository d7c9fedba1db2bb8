import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type CallbackRow, findCallbacks } from '../db/callbacks.ts';

/** approval (uuid) -> its callback; none where the asker is switched off, or the account behind it erased. */
export async function findPosts(
  { database, peers, people }: Pick<Context, 'database' | 'peers' | 'people'>,
  approvals: readonly string[],
): Promise<Map<string, CallbackRow>> {
  if (approvals.length === 0) return new Map();
  const rows = await findCallbacks(database.db, approvals);
  const ais = [...new Set(rows.flatMap(({ asker, askerKind }) => (askerKind === 'ai' ? asker : [])))];
  const [{ results }, known] = await Promise.all([
    ais.length === 0 ? { results: [] } : peers.ais.findAis({ ids: ais }, { caller: anonymous }),
    people.find(rows.flatMap(({ askerPerson }) => askerPerson ?? [])),
  ]);
  const active = new Set(ais.filter((_, index) => results[index]?.facts?.revoked === false));
  const mayGo = ({ asker, askerKind, askerPerson }: CallbackRow) =>
    (askerKind !== 'ai' || active.has(asker)) && (askerPerson === null || known.has(askerPerson));
  return new Map(rows.filter(mayGo).map((row) => [row.approval, row]));
}
