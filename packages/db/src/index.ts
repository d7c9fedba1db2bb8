export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { lockFolder } from './embedded/folder-lock.ts';
export { makeFolder } from './embedded/make-folder.ts';
export { findRunningPostgres } from './embedded/running.ts';
export {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded/start.ts';
export { isUniqueViolation } from './errors.ts';
export { inBatches } from './in-batches.ts';
export { type Lease, leaseRows } from './lease-rows.ts';
export { lockName, lockNames } from './lock-name.ts';
export { migrate } from './migrate/migrate.ts';
export type { SlowStatement } from './send.ts';
export { allOf, type Fragment, fragment, named, raw, sql } from './sql.ts';
export { type Db, type Log, type Statement, silentLog, type Tx } from './types.ts';
