export type { BulkheadOptions } from './bulkhead.ts';
export { type LeaseSql, touchDestinations, touchSql } from './destinations.ts';
export { createEngine, type Engine, mostAttempts, startEngine } from './engine.ts';
export type {
  AttemptError,
  DueQuestion,
  Lease,
  OutboundKind,
  Outcome,
  Posted,
  Posting,
  Queued,
  Send,
  Settlement,
} from './kinds.ts';
export { post } from './post.ts';
