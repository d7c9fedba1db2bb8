import { internal } from '@hearth/errors';
import type pg from 'pg';
import type { Db, Statement, Tx } from './types.ts';

type Run = (statement: Statement) => Promise<pg.QueryResult>;

/** The operations of a Db or a Tx, on top of a function that runs a statement. */
export function readsAndWrites(run: Run): Tx {
  const methods: Pick<Tx, 'query' | 'one' | 'maybeOne' | 'execute'> = {
    async query<Row>(statement: Statement) {
      return (await run(statement)).rows as Row[];
    },
    async one<Row>(statement: Statement) {
      return onlyRow<Row>((await run(statement)).rows, statement) ?? fail(statement, 'no row');
    },
    async maybeOne<Row>(statement: Statement) {
      return onlyRow<Row>((await run(statement)).rows, statement);
    },
    async execute(statement: Statement) {
      return (await run(statement)).rowCount ?? 0;
    },
  };
  return methods as Tx;
}

/** A Db that also refuses at runtime, where types cannot tell, a statement that writes. */
export function readsOnly(run: Run): Db {
  return readsAndWrites((statement) => {
    if (isRead(statement.text)) return run(statement);
    throw internal(
      `the statement ${statement.name ?? statement.text.slice(0, 60)} writes; it needs a Tx, from Database.transaction or .statement`,
    );
  });
}

function onlyRow<Row>(rows: unknown[], statement: Statement): Row | null {
  if (rows.length > 1) fail(statement, `${rows.length} rows`);
  return (rows[0] as Row | undefined) ?? null;
}

function fail(statement: Statement, found: string): never {
  throw internal(
    `the statement ${statement.name ?? statement.text.slice(0, 60)} should give one row and gave ${found}`,
  );
}

const beginsAsRead = /^\s*(?:--[^\n]*\n\s*)*(?:select|with|values|table|show|explain)\b/i;
const writesInside =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|update\s+(?:only\s+)?[\w."]+\s+(?:as\s+)?(?:\w+\s+)?set)\b/i;
const checked = new Map<string, boolean>();
const maxChecked = 2_000;

/**
 * Whether a statement changed rows. For a write inside a `with`, Postgres only counts the returned rows, so it is
 * always taken for a write.
 */
export function isWrite(statement: Statement, { command, rowCount }: pg.QueryResult): boolean {
  if (isRead(statement.text)) return false;
  return command === 'SELECT' || (rowCount ?? 0) > 0;
}

/** Statement texts are literals, so the result is cached; the limit is for texts that are built at runtime. */
function isRead(text: string): boolean {
  let answer = checked.get(text);
  if (answer === undefined) {
    answer = beginsAsRead.test(text) && !writesInside.test(text);
    if (checked.size >= maxChecked) checked.clear();
    checked.set(text, answer);
  }
  return answer;
}
