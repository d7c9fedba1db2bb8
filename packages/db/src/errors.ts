import { type HearthError, internal, isHearthError, unavailable } from '@hearth/errors';

/** The consequence of a failure: whether to drop the connection, and whether to retry. */
export type FailureClass = 'lost' | 'full' | 'stuck' | 'conflict' | 'stale_plan' | 'refused' | 'statement';

const unreachable = "the home's database cannot be reached just now; try again in a moment";
const readOnly =
  "the home's database takes no writes just now: it is a read-only replica; its operator should give the address of the primary";
const diskFull = "the home's disk is full; nothing can be stored until its operator frees some space";
const tooLong = "the home's database took too long over this; try again in a moment";
const busy = "the home's database is busy with the same things; try again in a moment";
const refused =
  "the home's database refuses the home itself; its operator should check the user, the password and the database in DATABASE_URL";

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  'EMFILE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Errors of the pg client itself, which have a message but no code. */
const clientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|timeout expired|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end|The server does not support SSL)/;

const sqlStates: Record<string, FailureClass> = {
  '25006': 'lost', // read-only transaction: after a failover this connection leads to the standby
  '53100': 'full',
  '53200': 'lost',
  '53300': 'lost',
  '53400': 'lost',
  '57014': 'stuck', // statement_timeout
  '55P03': 'stuck', // lock_timeout
  '25P03': 'lost', // idle in transaction for too long: Postgres has closed the connection
  '25P04': 'lost',
  '40001': 'conflict',
  '40P01': 'conflict',
  '58030': 'lost',
  '28000': 'refused',
  '28P01': 'refused',
  '3D000': 'refused',
};

interface DriverError {
  code?: unknown;
  constraint?: string;
  routine?: string;
  message?: string;
}

/**
 * Returns the first error in the chain of causes that came from the driver: it has an SQLSTATE, a system code, or a
 * known message.
 */
function driverError(error: unknown): DriverError | null {
  let link = error as (DriverError & { cause?: unknown }) | null | undefined;
  for (let depth = 0; link !== null && typeof link === 'object' && depth < 5; depth += 1) {
    if (typeof link.code === 'string' || clientMessages.test(link.message ?? '')) return link;
    link = link.cause as typeof link;
  }
  return null;
}

export function classify(error: unknown): FailureClass {
  const found = driverError(error);
  if (found === null) return 'statement';
  const { code, routine } = found;
  if (typeof code !== 'string' || networkCodes.has(code)) return 'lost';
  // Recognized by the Postgres routine, because messages are in the server's language.
  if (code === '0A000' && routine === 'RevalidateCachedQuery') return 'stale_plan';
  return sqlStates[code] ?? (/^(08|57P)/.test(code) ? 'lost' : 'statement');
}

/** Whether the connection is unusable after this error. */
export function losesConnection(error: unknown): boolean {
  const failure = classify(error);
  return failure === 'lost' || failure === 'stale_plan' || failure === 'refused';
}

/** Whether the same work would probably succeed if it ran again from the start. */
export function isRetryable(error: unknown): boolean {
  const failure = classify(error);
  return failure === 'conflict' || failure === 'stale_plan';
}

/** Converts a driver error to the project's own error, with the original as its cause. */
export function asDatabaseError(error: unknown, statementName = 'unnamed'): HearthError {
  if (isHearthError(error)) return error;
  withoutValues(error);
  switch (classify(error)) {
    case 'lost':
      return unavailable(driverError(error)?.code === '25006' ? readOnly : unreachable, error);
    case 'full':
      return unavailable(diskFull, error);
    case 'stuck':
      return unavailable(tooLong, error);
    case 'conflict':
    case 'stale_plan':
      return unavailable(busy, error);
    case 'refused':
      return internal(refused, error);
    default:
      return internal(`the statement ${statementName} failed: ${(error as Error | null)?.message}`, error);
  }
}

/**
 * Errors end up in logs. `detail` quotes the row ("Key (mail)=(ann@...) already exists"), and messages of SQLSTATE
 * class 22 quote values (`invalid input syntax for type uuid: "..."`); other messages only quote names.
 */
function withoutValues(error: unknown): void {
  if (!(error instanceof Error)) return;
  if ('detail' in error) error.detail = undefined;
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('22')) {
    const message = error.message.replace(/".*"/s, '"..."');
    error.stack = error.stack?.replace(error.message, () => message) ?? '';
    error.message = message;
  }
}

/** Whether a statement failed because such a row already exists; if given, only for that constraint or index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = driverError(error);
  if (found?.code !== '23505') return false;
  return constraint === undefined || found.constraint === constraint;
}
