import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `heap-growing-percent`: a held request outlives the young generation, and by itself V8 collects the whole heap
 * each time that about a third of it is new, the more often the lower its bound is. Here the heap may double before.
 * `no-parallel-scavenge`: several threads for a young generation of a few megabytes cost more than they save.
 */
export const collectorFlags = ['--heap-growing-percent=100', '--no-parallel-scavenge'] as const;

/** Sets how the garbage of this process is collected, which NODE_OPTIONS cannot. */
export function setGarbageCollection(): void {
  for (const flag of collectorFlags) setFlagsFromString(flag);
}

const lookEveryMs = 10_000;
/**
 * A process that takes a smaller part of one core is quiet, and of what it took at its busiest since the collection before: one that
 * always has a little to do, as most services apart have beside a busy gateway, would collect at each look what it needs again.
 */
const quietShare = 0.1;
const quietPart = 0.25;
const worthBytes = 16 * 1_024 * 1_024;

/**
 * Collects what loading the program left, and later what work left once the process is quiet again: V8 keeps it for as
 * long as little is to be done. Nothing else runs meanwhile, some 60 ms at the start and up to 300 later: to be called
 * once, at the end of the start.
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
  // By itself it leaves pages that are partly full as they are, and keeps the empty ones for later.
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
