export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { type FolderLock, lockFolder } from './embedded/folder-lock.ts';
export { makeFolder } from './embedded/make-folder.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded/start.ts';
export { isUniqueViolation } from './errors.ts';
export { inBatches } from './in-batches.ts';
export { lockName } from './lock-name.ts';
export { type MigrateOptions, migrate, type SharedMigrations } from './migrate/migrate.ts';
export type { SlowStatement } from './send.ts';
export { type Fragment, fragment, named, raw, sql } from './sql.ts';
export type { TransactionOptions } from './transaction.ts';
export { type Db, type Log, type Statement, silentLog, type Tx } from './types.ts';
