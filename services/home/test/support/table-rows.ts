import { type Database, raw, sql } from '@hearth/db';

/** A table with the columns of it that are left out of a comparison. */
interface ComparedTable {
  name: string;
  without: readonly string[];
}

/** Rows as JSON texts, by table. */
type TableRows = Map<string, readonly string[]>;

/** Rows that came and went, by table. */
export type RowChanges = Record<string, { added: readonly string[]; removed: readonly string[] }>;

/**
 * Reads and compares the rows of all tables of a home.
 *
 * @param leftOut by table or table.column: the reason why it says nothing about what happened
 */
export async function openTables({ db }: Pick<Database, 'db'>, leftOut: Record<string, string>) {
  const found = await db.query<{ name: string; columns: string[] }>(sql`
    select format('%s.%s', n.nspname, c.relname) as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema')
    group by 1 order by 1`);
  const isLeftOut = (name: string) => leftOut[name] ?? leftOut[name.replace(/^\w+/, '*')];
  const tables: ComparedTable[] = found
    .filter(({ name }) => isLeftOut(name) === undefined)
    .map(({ name, columns }) => ({
      name,
      without: columns.filter((column) => isLeftOut(`${name}.${column}`) !== undefined),
    }));

  const rowsOf = ({ name, without }: ComparedTable) => `
    select (to_jsonb(t) - '{${without.join()}}'::text[])::text as row from ${name} t`;

  /** A digest of each table. */
  async function digests(): Promise<Map<string, string>> {
    const text = tables.map(
      (table) => `
        select '${table.name}' as name, md5(coalesce(string_agg(row, ' ' order by row), '')) as digest
        from (${rowsOf(table)}) rows`,
    );
    const rows = await db.query<{ name: string; digest: string }>(sql`${raw(text.join(' union all '))}`);
    return new Map(rows.map(({ name, digest }) => [name, digest]));
  }

  async function read(some: readonly ComparedTable[]): Promise<TableRows> {
    const rows = new Map<string, readonly string[]>();
    for (const table of some) {
      const read = await db.query<{ row: string }>(sql`${raw(`${rowsOf(table)} order by 1`)}`);
      rows.set(
        table.name,
        read.map(({ row }) => row),
      );
    }
    return rows;
  }

  let known = await digests();
  const rows = await read(tables);
  return {
    /** Whether nothing changed since this was asked last. */
    async isQuiet(): Promise<boolean> {
      const before = known;
      known = await digests();
      return tables.every(({ name }) => before.get(name) === known.get(name));
    },
    /** Reads the present rows, for the changes after them. */
    async begin(): Promise<void> {
      known = await digests();
      for (const [name, present] of await read(tables)) rows.set(name, present);
    },
    /** The changes since the rows were read last. */
    async changes(): Promise<RowChanges> {
      const now = await digests();
      const changed = tables.filter(({ name }) => now.get(name) !== known.get(name));
      known = now;
      const changes: RowChanges = {};
      for (const [name, present] of changed.length === 0 ? [] : await read(changed)) {
        const [old, young] = [new Set(rows.get(name)), new Set(present)];
        changes[name] = {
          added: present.filter((row) => !old.has(row)),
          removed: [...old].filter((row) => !young.has(row)),
        };
        rows.set(name, present);
      }
      return changes;
    },
  };
}
