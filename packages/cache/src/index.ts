export type { Cache } from './cache.ts';
export { createMemoryCache, type MemoryCacheOptions } from './memory-cache.ts';
export type { RedisClient } from './redis-client.ts';
export type { RedisGuard } from './redis-guard.ts';
