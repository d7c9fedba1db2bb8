import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `heap-growing-percent`: held requests outlive the young generation, and by default V8 collects the whole heap each
 * time about a third of it is new, more often the lower its bound. Here the heap may double first.
 * `no-parallel-scavenge`: several threads for a young generation of a few megabytes cost more than they save.
 */
export const collectorFlags = ['--heap-growing-percent=100', '--no-parallel-scavenge'] as const;

/** Configures this process's garbage collection, which NODE_OPTIONS cannot. */
export function setGarbageCollection(): void {
  for (const flag of collectorFlags) setFlagsFromString(flag);
}

const lookEveryMs = 10_000;
/**
 * A process counts as quiet below this share of one core, and below this share of its peak since the last collection: a
 * process with constant light load, as most separate services next to a busy gateway, would otherwise collect each time
 * what it needs again.
 */
const quietShare = 0.1;
const quietPart = 0.25;
const worthBytes = 16 * 1_024 * 1_024;

/**
 * Collects the garbage of loading the program, and later that of work once the process is quiet: V8 keeps it as long as
 * there is little load. Blocks for some 60 ms at the start and up to 300 ms later: call it once, at the end of the
 * start.
 */
export function collectWhenQuiet(): void {
  const collect = collector();
  collect();
  let kept = getHeapStatistics().total_heap_size;
  let before = process.cpuUsage();
  let busiestMs = 0;
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const spentMs = (user + system) / 1_000;
    busiestMs = Math.max(busiestMs, spentMs);
    const isQuiet = spentMs < Math.min(quietShare * lookEveryMs, quietPart * busiestMs);
    if (!isQuiet || getHeapStatistics().total_heap_size < kept + worthBytes) return;
    collect();
    kept = getHeapStatistics().total_heap_size;
    busiestMs = 0;
  }, lookEveryMs).unref();
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: (options: object) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // By default it keeps partly full pages as they are, and empty ones for later.
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
