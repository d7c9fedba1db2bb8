import type { Context } from '../context.ts';
import { type CallbackRow, findCallbacks } from '../db/callbacks.ts';

/** approval (uuid) -> its callback. Leaves out askers that are switched off or whose account is erased. */
export async function findPosts(
  { database, knownAis, people }: Pick<Context, 'database' | 'knownAis' | 'people'>,
  approvals: readonly string[],
): Promise<Map<string, CallbackRow>> {
  if (approvals.length === 0) return new Map();
  const rows = await findCallbacks(database.db, approvals);
  const [ais, known] = await Promise.all([
    knownAis(rows.flatMap(({ asker, askerKind }) => (askerKind === 'ai' ? asker : []))),
    people.find(rows.flatMap(({ askerPerson }) => askerPerson ?? [])),
  ]);
  const mayGo = ({ asker, askerKind, askerPerson }: CallbackRow) =>
    (askerKind !== 'ai' || ais.get(asker)?.revoked === false) &&
    (askerPerson === null || known.has(askerPerson));
  return new Map(rows.filter(mayGo).map((row) => [row.approval, row]));
}
