/**
 * Memory bounds of a service's process, as Node options. Without them V8 lets a heap grow as far as the machine has
 * room: a young generation takes 128 MB, and garbage stays until hundreds of megabytes are full. Held requests outlive
 * the young generation, and everything waits while they are copied: with 16 MB instead of 8, twice as long (7 instead
 * of 4 ms), at no less CPU per message. A process that needs more than its old space ends: the whole home and a
 * gateway, which hold thousands of requests, get twice as much as others. `v8-pool-size=0`: as many collector helpers
 * as the machine has other cores. Node's default of four takes two cores from the home and its database each time the
 * whole heap is marked, and messages wait.
 */
export function heapBounds(service) {
  const holds = service === 'home' || service === 'gateway';
  return `--max-semi-space-size=8 --max-old-space-size=${holds ? 512 : 256} --v8-pool-size=0`;
}

/** glibc has an arena per thread, and returns little of it: a single arena saves 15 MB per home. */
export const arenas = { MALLOC_ARENA_MAX: '1' };

/** Environment variables for an entry point of this project. The operator's Node options come last, so they win. */
export function boundsFor(args, own = process.env) {
  const [, service] = args.map((arg) => /services\/([a-z]+)\/src\/main\.ts$/.exec(arg)).find(Boolean) ?? [];
  if (service === undefined) return {};
  const { MALLOC_ARENA_MAX = arenas.MALLOC_ARENA_MAX, NODE_OPTIONS = '' } = own;
  return { MALLOC_ARENA_MAX, NODE_OPTIONS: `${heapBounds(service)} ${NODE_OPTIONS}`.trim() };
}
