export { callerKindOf } from './caller-kind.ts';
export {
  type CallerKind,
  type CountedBy,
  callerKinds,
  countingServices,
  type LimitName,
  type SizeName,
  type UseName,
} from './declared.ts';
export { rateLimitHeaders } from './headers.ts';
export { createLimiter, type Limiter, type Usage, type Use } from './limiter.ts';
export { fixed, type Limit, type Limits, limitFor, sizeOf, sizesOf } from './limits.ts';
export { networkKey, widerNetworks } from './network-key.ts';
export { readLimits } from './read-limits.ts';
export { homeRoutes, mcpRoutes, oauthRoutes, type Route } from './routes.ts';
export {
  bytesOfRequest,
  charactersOfRead,
  pointsOfBody,
  pointsOfOauthBody,
  pointsOfStrangersActs,
  unprovenPoints,
} from './weights.ts';
