/**
 * The bounds on memory of a service's process, as options of Node. Without them V8 lets a heap grow as far as the
 * machine has room: a young generation takes 128 MB, and rubbish stays until hundreds of megabytes are full. Held
 * requests outlive the young generation, and all that waits while they are copied: with 16 MB in place of 8 for
 * twice as long (7 instead of 4 ms), at no less CPU a message. A process that needs more than its old space ends:
 * the whole home and a gateway, which hold requests by the thousand, get twice that of another. `v8-pool-size=0`: as
 * many helpers of the collector as the machine has other cores. Four, as Node has by itself, take two cores from the
 * home and its database each time that the whole heap is marked, and messages wait.
 */
export function heapBounds(service) {
  const holds = service === 'home' || service === 'gateway';
  return `--max-semi-space-size=8 --max-old-space-size=${holds ? 512 : 256} --v8-pool-size=0`;
}

/** glibc has an arena for each thread, and gives little of it back: one for all takes 15 MB less of a home. */
export const arenas = { MALLOC_ARENA_MAX: '1' };

/** Environment variables for an entry of this project. The operator's Node options come last, so that they win. */
export function boundsFor(args, own = process.env) {
  const [, service] = args.map((arg) => /services\/([a-z]+)\/src\/main\.ts$/.exec(arg)).find(Boolean) ?? [];
  if (service === undefined) return {};
  const { MALLOC_ARENA_MAX = arenas.MALLOC_ARENA_MAX, NODE_OPTIONS = '' } = own;
  return { MALLOC_ARENA_MAX, NODE_OPTIONS: `${heapBounds(service)} ${NODE_OPTIONS}`.trim() };
}
