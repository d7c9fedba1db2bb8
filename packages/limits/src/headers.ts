import { second } from '@hearth/clock';
import type { Usage } from './limiter.ts';

/** `RateLimit-Policy` and `RateLimit` in the format of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(usage: Usage, now: number): { policy: string; limit: string } {
  const left = Math.max(0, Math.ceil((usage.resetsAt - now) / second));
  return {
    policy: `"${usage.limit}";q=${usage.bound};w=${usage.windowSeconds}`,
    limit: `"${usage.limit}";r=${usage.remaining};t=${left}`,
  };
}
