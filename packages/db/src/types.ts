declare const reads: unique symbol;
declare const writes: unique symbol;

/**
 * An SQL statement with its values, made by `sql` or `named`. The text has `$1`, `$2` ... in place of values, which
 * never become part of it. A name (at most 63 characters, unique within the process) makes it a prepared statement,
 * planned once per connection: name every hot query. Traces and slow-query reports use the name, too. Write the object
 * out if the values are a list of unknown length.
 */
export interface Statement {
  name?: string;
  text: string;
  /**
   * A Date, Buffer, string, number, bigint, boolean, null, or an array of these (a Postgres array). Values for a json
   * column are passed as JSON.stringify text.
   */
  values?: readonly unknown[];
}

/**
 * The right to read. A function that only reads takes a Db; a Tx fits as well, and then it reads inside that
 * transaction. Rows have bigint as number (BigInt beyond 2^53), timestamptz as Date, uuid, date and numeric as text,
 * json as values, bytea as Buffer.
 *
 * @throws unavailable if the database cannot be reached, is full, or took too long; internal, with Postgres's error as
 * the cause, for other failures
 */
export interface Db {
  readonly [reads]: true;
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /** Returns the only row; `internal` if there are none or several. */
  one<Row = Record<string, unknown>>(statement: Statement): Promise<Row>;
  /** Returns the only row, or null; `internal` if there are several. */
  maybeOne<Row = Record<string, unknown>>(statement: Statement): Promise<Row | null>;
}

/**
 * The right to write. Only `Database.transaction` and `Database.statement` provide a Tx, so a function that takes one
 * cannot be called without them. It is valid until the work that it was passed to ends.
 */
export interface Tx extends Db {
  readonly [writes]: true;
  /** Runs a statement for its effect; returns how many rows it touched. */
  execute(statement: Statement): Promise<number>;
}

/** Receives this package's log messages; any pino-like logger fits. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
