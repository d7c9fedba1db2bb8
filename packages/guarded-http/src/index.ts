export {
  createGuardedHttp,
  type GuardedAnswer,
  type GuardedHttp,
  type GuardedHttpOptions,
  type GuardedRequest,
} from './guarded-http.ts';
export { type OutboundCategory, OutboundError } from './outbound-error.ts';
export { isPublicAddress } from './public-address.ts';
export type { Resolver } from './resolver.ts';
export { readRetryAfter } from './retry-after.ts';
