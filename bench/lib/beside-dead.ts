import type { Bench, Figure, Mark } from './case.ts';
import { median, percentile } from './statistics.ts';
import { number } from './table.ts';

/** The peers beside the live ones: they answer like these, or never. */
export type Others = 'healthy' | 'dead';

export interface Measured {
  /** Lags of the live peers while the dead ones die, in milliseconds. */
  atFirst: number[];
  /** Lags of the live peers by round, in milliseconds. */
  lags: Record<Others, number[][]>;
  /** Bytes of the home and its Postgres; shared pages count once. */
  memory: { before: number; after: number };
  /** How many died. */
  count: number;
}

/** The lags of the live peers, alternating between healthy and dead peers beside them. */
export async function inTurns(
  bench: Bench,
  round: (others: Others) => Promise<number[]>,
): Promise<Record<Others, number[][]>> {
  const lags: Record<Others, number[][]> = { healthy: [], dead: [] };
  for (let at = 0; at < (bench.quick ? 2 : 6); at += 1) {
    for (const others of at % 2 === 0 ? (['healthy', 'dead'] as const) : (['dead', 'healthy'] as const))
      lags[others].push(await round(others));
  }
  return lags;
}

/** @param memoryMark for the growth in memory, in megabytes */
export function besideDeadFigures(
  bench: Bench,
  { atFirst, lags, memory, count }: Measured,
  memoryMark?: Mark,
) {
  const p99 = (samples: readonly number[]) => percentile(samples, 0.99);
  const rounds = lags.dead.map((dead, index) => ({ healthy: p99(lags.healthy[index]!), dead: p99(dead) }));
  for (const { healthy, dead } of rounds)
    bench.say(
      `p99 of the live ones ${number(healthy)} ms beside healthy, ${number(dead)} ms beside dead ones`,
    );
  const all = { healthy: lags.healthy.flat(), dead: lags.dead.flat() };
  const figures: Figure[] = [
    { name: `beside ${count} healthy: p50`, value: median(all.healthy), unit: 'ms' },
    { name: `beside ${count} dead: p50`, value: median(all.dead), unit: 'ms' },
    { name: `beside ${count} healthy: p99`, value: p99(all.healthy), unit: 'ms' },
    { name: `beside ${count} dead: p99`, value: p99(all.dead), unit: 'ms' },
    {
      name: 'p99, dead of healthy',
      value: p99(all.dead) / p99(all.healthy),
      unit: 'x',
      mark: { atMost: 1.1 },
    },
    {
      name: 'p99, dead of healthy, median of rounds',
      value: median(rounds.map(({ healthy, dead }) => dead / healthy)),
      unit: 'x',
    },
    { name: `while ${count} die: p99`, value: p99(atFirst), unit: 'ms' },
    {
      name: 'memory grew by',
      value: (memory.after - memory.before) / 2 ** 20,
      unit: 'MB',
      ...(memoryMark !== undefined && { mark: memoryMark }),
    },
  ];
  return { figures, details: { rounds, memory } };
}
