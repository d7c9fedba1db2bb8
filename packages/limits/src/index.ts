export { callerKindOf } from './caller-kind.ts';
export { type CallerKind, callerKinds, declared, type LimitName, type LimitDeclaration } from './declared.ts';
export { createLimiter, type Limiter, type Usage } from './limiter.ts';
export { limitFor, type Limits, readLimits } from './limits.ts';
export { networkKey } from './network-key.ts';
export { rateLimitHeaders } from './headers.ts';
