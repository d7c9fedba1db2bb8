export {
  createIdempotency,
  type Idempotency,
  type IdempotencyOptions,
  type RememberedRequest,
  rememberedRequest,
  scopeOf,
} from './idempotency.ts';
