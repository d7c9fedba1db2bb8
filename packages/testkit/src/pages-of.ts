import type { Database, Db, Statement } from '@hearth/db';

/** How many pages of the database a read takes, its statements explained in turn. Each finds nothing, so later ones must not need it. */
export async function pagesOf(
  { db }: Pick<Database, 'db'>,
  read: (db: Db) => Promise<unknown>,
): Promise<number> {
  let pages = 0;
  const explained = async ({ text, values }: Statement) => {
    const statement = { text: `explain (analyze, buffers, format json) ${text}`, values };
    const [row] = await db.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(statement);
    const plan = row!['QUERY PLAN'][0]!.Plan;
    pages += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
    return [];
  };
  const explainedOne = async (statement: Statement) => {
    await explained(statement);
    return {};
  };
  await read({
    query: explained,
    maybeOne: explained,
    one: explainedOne,
    execute: explained,
  } as unknown as Db);
  return pages;
}
