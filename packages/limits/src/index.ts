export { callerKindOf } from './caller-kind.ts';
export { type CallerKind, callerKinds, declared, type LimitDeclaration, type LimitName } from './declared.ts';
export { rateLimitHeaders } from './headers.ts';
export { createLimiter, type Limiter, type Usage } from './limiter.ts';
export { type Limit, type Limits, limitFor, readLimits } from './limits.ts';
export { networkKey } from './network-key.ts';
