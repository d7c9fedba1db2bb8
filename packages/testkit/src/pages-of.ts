import { type Database, type Db, type Statement, sql, type Tx } from '@hearth/db';

export type Read = (db: Db) => Promise<unknown>;

/**
 * Counts the database pages that a read takes, by explaining its statements in turn. Each finds nothing, so later
 * statements must not need its rows.
 */
export async function pagesOf({ db }: Pick<Database, 'db'>, read: Read): Promise<number> {
  let pages = 0;
  const explain = async ({ text, values }: Statement) => {
    const statement = { text: `explain (analyze, buffers, format json) ${text}`, values };
    const [row] = await db.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(statement);
    const plan = row!['QUERY PLAN'][0]!.Plan;
    pages += plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
    return [];
  };
  const explainOne = async (statement: Statement) => {
    await explain(statement);
    return {};
  };
  await read({
    query: explain,
    maybeOne: explain,
    one: explainOne,
    execute: explain,
  } as unknown as Db);
  return pages;
}

/** Rows per insert statement, which must finish within the client's timeout. */
const atOnce = 5_000;

/**
 * Counts the pages that each read takes among 1,000 rows, and among 30,000, by its name.
 *
 * @param tables to analyze again, with their schema
 * @param insert inserts the rows from the first to the last number
 */
export async function pagesAsTablesGrow(
  database: Pick<Database, 'db' | 'transaction'>,
  tables: readonly string[],
  insert: (tx: Tx, first: number, last: number) => Promise<void>,
  reads: Readonly<Record<string, Read>>,
): Promise<Map<string, { few: number; many: number }>> {
  const fill = (first: number, last: number) =>
    database.transaction(async (tx) => {
      // On a slow machine a filling statement takes longer than a home's timeout.
      await tx.execute(sql`set local statement_timeout = 0`);
      for (let next = first; next <= last; next += atOnce)
        await insert(tx, next, Math.min(last, next + atOnce - 1));
      for (const table of tables) await tx.execute({ text: `analyze ${table}` });
    });
  const pages = new Map<string, { few: number; many: number }>();
  await fill(1, 1_000);
  for (const [name, read] of Object.entries(reads))
    pages.set(name, { few: await pagesOf(database, read), many: 0 });
  await fill(1_001, 30_000);
  for (const [name, read] of Object.entries(reads)) pages.get(name)!.many = await pagesOf(database, read);
  return pages;
}
