import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type Layout, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['one', 'split'];

/**
 * The cost of repeating the same answer, compared with the cheapest authenticated route that calls no
 * service: a request that is refused for its query, after it was routed, authenticated and counted.
 */
export const cached: Case = {
  name: 'cached',
  about: 'cards and whoami asked for again and again, against routes that ask no service; 32 in flight',
  run: eachLayout(compared, measure),
};

async function measure(
  bench: Bench,
  layout: Layout,
): Promise<{ figures: Figure[]; details: Record<string, number[]> }> {
  const home = await startBenchHome({ layout });
  const costs: Record<string, number[]> = { refused: [], limits: [], card: [], whoami: [] };
  try {
    const ais = await signUpCrowd(home.ports, 100);
    const requests = await openRequests(home, 32);
    let turn = 0;
    const of = (path: (ai: Ai, other: Ai) => string) => {
      const made = ais.map((ai, index) =>
        rawRequest('GET', path(ai, ais[(index + 1) % ais.length]!), ai.key),
      );
      return () => made[turn++ % made.length]!;
    };
    const kinds = {
      refused: of(() => '/v0/me?nothing=1'),
      limits: of(() => '/v0/limits'),
      card: of((_, other) => `/v0/cards/${encodeURIComponent(other.address)}`),
      whoami: of(() => '/v0/me'),
    };
    const statusOf = (kind: string) => (kind === 'refused' ? 400 : 200);
    for (const [kind, next] of Object.entries(kinds))
      await requests.keep(bench.quick ? 0.7 : 2, next, statusOf(kind));
    // In turns, so that other load on the machine affects each alike.
    for (let round = 0; round < (bench.quick ? 2 : 5); round += 1) {
      for (const [kind, next] of Object.entries(kinds)) {
        costs[kind]!.push((await requests.keep(bench.quick ? 0.7 : 1, next, statusOf(kind))).cpuUs);
      }
    }
    requests.close();
  } finally {
    await home.stop();
  }
  const cost = (kind: string) => median(costs[kind]!);
  for (const kind of Object.keys(costs))
    bench.say(`${layout}, ${kind}: ${number(cost(kind))} CPU µs for each request`);
  const floor = { value: bench.floor.http, of: '1 HTTP' };
  const mark = { atMost: 2 };
  return {
    details: costs,
    figures: [
      { name: `${layout}: bare route (refused)`, value: cost('refused'), unit: 'CPU µs', floor },
      { name: `${layout}: GET /v0/limits`, value: cost('limits'), unit: 'CPU µs', floor },
      { name: `${layout}: card`, value: cost('card'), unit: 'CPU µs', floor },
      { name: `${layout}: whoami`, value: cost('whoami'), unit: 'CPU µs', floor },
      { name: `${layout}: card, of the bare route`, value: cost('card') / cost('refused'), unit: 'x', mark },
      {
        name: `${layout}: whoami, of the bare route`,
        value: cost('whoami') / cost('refused'),
        unit: 'x',
        mark,
      },
    ],
  };
}
