import { type Db, type Fragment, fragment, named, raw, type Tx } from '@hearth/db';
import { type Columns, namesOf, typed } from './columns.ts';

/** A table with its schema, its row alias, its columns, and further expressions to read. */
interface RowTable<Name extends string> {
  table: string;
  as: string;
  columns: Columns<Name>;
  /** Columns that `update` doesn't change. */
  fixed?: Columns<string>;
  beside?: string;
}

/** The statements for things stored as one row each: agreements, meetings, offers. */
export function createRows<Row extends { id: string }, Read extends Row = Row>(
  options: RowTable<keyof Row & string>,
) {
  const { table: name, as, columns: all, fixed = { id: 'uuid' }, beside } = options;
  const statement = (of: string) => named(`${name.split('.')[1]}_${of}`);
  const [table, row, id] = [raw(name), raw(as), raw(`${as}.id`)];
  const names = raw(namesOf(all).join(', '));
  const types = raw(typed(all));
  const read = namesOf(all).map((one) => `${as}.${one}`);
  const columns = raw([...read, ...(beside === undefined ? [] : [beside])].join(', '));
  const changing = Object.keys(all).filter((one) => !(one in fixed));
  const changed = raw(changing.map((one) => `"${one}" = g."${one}"`).join(', '));

  const where = async (db: Db, of: string, condition: Fragment): Promise<Read[]> =>
    await db.query<Read>(statement(of)`select ${columns} from ${table} ${row} where ${condition}`);
  // A fixed order, so that concurrent locks can't deadlock.
  const lockAll = async (tx: Tx, ids: readonly string[]): Promise<Read[]> =>
    await where(tx, 'lock', fragment`${id} = any(${ids}::uuid[]) order by ${id} for update`);
  const findAll = async (db: Db, ids: readonly string[]): Promise<Read[]> =>
    await where(db, 'find', fragment`${id} = any(${ids}::uuid[])`);

  return {
    /** Fragments for other statements: column names, qualified names, and names with types for `json_to_recordset`. */
    parts: { names, columns, types },
    /** The rows that match a condition. */
    where,
    findAll,
    find: async (db: Db, one: string): Promise<Read | null> => (await findAll(db, [one]))[0] ?? null,
    /** Locks rows for the transaction; every change starts with this. */
    lockAll,
    lock: async (tx: Tx, one: string): Promise<Read | null> => (await lockAll(tx, [one]))[0] ?? null,

    async insert(tx: Tx, rows: readonly Row[]): Promise<void> {
      await tx.execute(statement('insert')`
        insert into ${table} (${names})
        select ${names} from json_to_recordset(${JSON.stringify(rows)}::json) as g (${types})`);
    },

    async update(tx: Tx, now: Row): Promise<void> {
      await tx.execute(statement('write')`
        update ${table} ${row} set ${changed}, claimed_until = null
        from json_to_recordset(${JSON.stringify([now])}::json) as g (${types}) where ${id} = g.id`);
    },

    async erase(tx: Tx, one: string): Promise<void> {
      await tx.execute(statement('erase')`delete from ${table} where id = ${one}`);
    },
  };
}
