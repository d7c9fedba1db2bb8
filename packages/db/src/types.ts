declare const reads: unique symbol;
declare const writes: unique symbol;

/**
 * One SQL statement with its values, made by `sql` or `named`. The text has `$1`, `$2` ... in place of the values; a
 * value never goes into the text. A name (at most 63 characters, unique within the process) makes it a
 * prepared statement, planned once per connection: give one to every hot query. The name is also what
 * traces and slow-query reports call it. Write it out where the values are a list of unknown length.
 */
export interface Statement {
  name?: string;
  text: string;
  /**
   * A Date, Buffer, string, number, bigint, boolean, null, or an array of one of them (a Postgres array).
   * Values for a json column are passed as text made by JSON.stringify.
   */
  values?: readonly unknown[];
}

/**
 * The right to read. A function that only reads takes a Db; a Tx is taken there as well, and then reads
 * inside that transaction. Rows come with bigint as number (as BigInt beyond 2^53), timestamptz as Date,
 * uuid, date and numeric as text, json as values, bytea as Buffer.
 *
 * Throws HearthError `unavailable` when the database cannot be reached, is full, or took too long; other
 * failures of a statement are `internal` with Postgres's own error as their cause.
 */
export interface Db {
  readonly [reads]: true;
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** The only row; `internal` when there is none or more than one. */
  one<Row = Record<string, unknown>>(statement: Statement): Promise<Row>;
  /** The only row, or null; `internal` when there is more than one. */
  maybeOne<Row = Record<string, unknown>>(statement: Statement): Promise<Row | null>;
}

/**
 * The right to write. Only `Database.transaction` and `Database.statement` hand one out, so a function that
 * takes a Tx cannot be called without one of them. It ends with the work that it was handed to.
 */
export interface Tx extends Db {
  readonly [writes]: true;
  /** Runs a statement for its effect; how many rows it touched. */
  execute(statement: Statement): Promise<number>;
}

/** Where this package says what happened to it; any pino-like logger fits. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
