import { cpuBetween, cpuOf, type NamedPids, ownCpuUs, sumOf } from './processes.ts';

export interface PerOperation {
  /** CPU µs of this process and the named ones, for each operation. */
  cpuUs: number;
  /** CPU µs of only the named processes. */
  serverCpuUs: number;
  perSecond: number;
  operations: number;
}

export interface PerOperationOptions {
  /** The processes that serve it. */
  pids?: NamedPids;
  inFlight?: number;
  seconds: number;
  /** How many operations one call of `work` performs (default 1). */
  each?: number;
}

/** Runs `work` repeatedly for a while, after a short warm-up, and measures its cost. */
export async function perOperation(
  { pids = [], inFlight = 1, seconds, each = 1 }: PerOperationOptions,
  work: (lane: number) => Promise<unknown>,
): Promise<PerOperation> {
  await keepDoing(inFlight, Math.min(0.5, seconds / 3), work);
  const before = cpuOf(pids);
  const ownBefore = ownCpuUs();
  const began = performance.now();
  const calls = await keepDoing(inFlight, seconds, work);
  const serverUs = sumOf(cpuBetween(before, cpuOf(pids)));
  const ownUs = ownCpuUs() - ownBefore;
  const operations = calls * each;
  return {
    cpuUs: (serverUs + ownUs) / operations,
    serverCpuUs: serverUs / operations,
    perSecond: operations / ((performance.now() - began) / 1_000),
    operations,
  };
}

async function keepDoing(
  inFlight: number,
  seconds: number,
  work: (lane: number) => Promise<unknown>,
): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  const keep = async (lane: number) => {
    while (performance.now() < until) {
      await work(lane);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, lane) => keep(lane)));
  return done;
}

/** `perOperation` for synchronous work; in µs of this process. */
export function perCall(seconds: number, work: () => unknown): number {
  const chunk = 200;
  for (let call = 0; call < chunk; call += 1) work();
  const until = performance.now() + seconds * 1_000;
  const before = ownCpuUs();
  let calls = 0;
  while (performance.now() < until) {
    for (let call = 0; call < chunk; call += 1) work();
    calls += chunk;
  }
  return (ownCpuUs() - before) / calls;
}
