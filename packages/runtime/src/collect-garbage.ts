import { setFlagsFromString } from 'node:v8';
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

/**
 * Collects what loading the program left: some 25 MB of a process, which V8 keeps for as long as little is to be
 * done. Nothing else runs meanwhile, some 60 ms: to be called once, at the end of the start.
 */
export function collectAfterStart(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}
