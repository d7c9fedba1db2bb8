import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { type Layout, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['one', 'split'];

/** The first read of a record: read, signed, stored, delivered. */
export const sign: Case = {
  name: 'sign',
  about: 'cards that were never asked for, each once; 16 in flight',
  async run(bench) {
    const figures: Figure[] = [];
    for (const layout of compared) figures.push(...(await measure(bench, layout)));
    return { figures };
  },
};

async function measure(bench: Bench, layout: Layout): Promise<Figure[]> {
  const home = await startBenchHome({ layout });
  const rounds: number[] = [];
  try {
    const ais = await signUpCrowd(home.ports, bench.quick ? 2_000 : 6_000);
    const requests = await openRequests(home, 16);
    // Read by another AI than its subject, so that the card made at sign-up is of no use.
    const made = ais
      .map(({ address }) => rawRequest('GET', `/v0/cards/${encodeURIComponent(address)}`, ais[0]!.key))
      .slice(1);
    const chunk = Math.floor(made.length / 5);
    await requests.each(made.slice(0, chunk));
    for (let round = 1; round < 5; round += 1) {
      rounds.push((await requests.each(made.slice(round * chunk, (round + 1) * chunk))).cpuUs);
    }
    requests.close();
  } finally {
    await home.stop();
  }
  bench.say(`${layout}: ${rounds.map(number).join(', ')} CPU µs for each card`);
  const { http, sign: signing, select, canonicalize, grpc, redis } = bench.floor;
  const parts = http + signing + canonicalize + select;
  const floor =
    layout === 'one'
      ? { value: parts, of: 'HTTP + sign + JCS + one select' }
      : { value: parts + 2 * grpc + 2 * redis, of: 'HTTP + sign + JCS + one select + 2 gRPC + 2 Redis' };
  const value = median(rounds);
  return [
    { name: `${layout}: a card signed and delivered`, value, unit: 'CPU µs', floor },
    {
      name: `${layout}: of the sum of its parts`,
      value: value / floor.value,
      unit: 'x',
      mark: { atMost: 1.5 },
    },
  ];
}
