import { type Database, sql, type Tx } from '@hearth/db';
import { beforeAll, expect, test } from '@jest/globals';
import { pagesAsTablesGrow, pagesOf, type Read } from './pages-of.ts';

type Filled = Pick<Database, 'db' | 'transaction'>;

/** A descent through an index of 30,000 rows reads one page more. */
const mostPages = (least: number) => 2 * least + 4;

/**
 * Defines a test for each read by its name: it costs the same among 30,000 rows as among 1,000.
 *
 * @param insert as for `pagesAsTablesGrow`
 */
export function testCostAsTablesGrow(
  database: Filled,
  tables: readonly string[],
  insert: (tx: Tx, first: number, last: number) => Promise<void>,
  reads: Readonly<Record<string, Read>>,
): void {
  let pages: Awaited<ReturnType<typeof pagesAsTablesGrow>>;
  beforeAll(async () => {
    pages = await pagesAsTablesGrow(database, tables, insert, reads);
  });
  test.each(Object.keys(reads))('%s: costs the same, however many rows there are', (name) => {
    const { few, many } = pages.get(name)!;
    expect(many).toBeLessThanOrEqual(mostPages(few));
  });
}

export interface OfOwners<Owner> {
  tables: readonly string[];
  newOwner(): Owner;
  /** Gives an owner this many rows. */
  fill(tx: Tx, owner: Owner, length: number): Promise<void>;
  /** The number of rows of the larger owner (default: 30,000). */
  most?: number;
  reads: Readonly<Record<string, (owner: Owner) => Read>>;
}

/** The same for two owners side by side, one with 1,000 rows and one with many. */
export function testCostOfOwners<Owner>(
  database: Filled,
  { tables, newOwner, fill, most = 30_000, reads }: OfOwners<Owner>,
): void {
  const [few, many] = [newOwner(), newOwner()];
  beforeAll(async () => {
    await database.transaction(async (tx) => {
      // On a slow machine a filling statement takes longer than a home's timeout.
      await tx.execute(sql`set local statement_timeout = 0`);
      await fill(tx, few, 1_000);
      await fill(tx, many, most);
      for (const table of tables) await tx.execute({ text: `analyze ${table}` });
    });
  });
  test.each(Object.entries(reads))('%s: costs the same, however many rows they have', async (_, read) => {
    const least = await pagesOf(database, read(few));
    expect(await pagesOf(database, read(many))).toBeLessThanOrEqual(mostPages(least));
  });
}
