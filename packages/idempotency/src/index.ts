export {
  type Claim,
  createIdempotency,
  type Idempotency,
  type IdempotencyOptions,
  type OnceWork,
} from './idempotency.ts';
export { idempotencyKey, requestIdUsed, scopeOf } from './key.ts';
export type { IdempotencyKey } from './table.ts';
