import { internal } from '@hearth/errors';
import type pg from 'pg';
import type { Db, Statement, Tx } from './types.ts';

type Run = (statement: Statement) => Promise<pg.QueryResult>;

/** Everything a Db or a Tx can do, over one way of running a statement. */
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

/** A Db that refuses, when it runs, what the types cannot see: a writing statement given to something that only reads. */
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

/** Whether it changed rows. Where the write stands in a `with`, Postgres counts the rows of the answer alone, so it is taken for a write. */
export function isWrite(statement: Statement, { command, rowCount }: pg.QueryResult): boolean {
  if (isRead(statement.text)) return false;
  return command === 'SELECT' || (rowCount ?? 0) > 0;
}

/** Statement texts are literals, so the answer is kept; the bound is for whoever builds one. */
function isRead(text: string): boolean {
  let answer = checked.get(text);
  if (answer === undefined) {
    answer = beginsAsRead.test(text) && !writesInside.test(text);
    if (checked.size >= maxChecked) checked.clear();
    checked.set(text, answer);
  }
  return answer;
}
