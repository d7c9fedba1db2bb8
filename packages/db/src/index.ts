export { openDatabase, type Database, type DatabaseOptions } from './database.ts';
export { isUniqueViolation } from './errors.ts';
export { migrate, type MigrateOptions } from './migrate/migrate.ts';
export type { SlowStatement } from './send.ts';
export { named, sql } from './sql.ts';
export type { TransactionOptions } from './transaction.ts';
export { silentLog, type Db, type Log, type Statement, type Tx } from './types.ts';
export { lockFolder, type FolderLock } from './embedded/folder-lock.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded/start.ts';
