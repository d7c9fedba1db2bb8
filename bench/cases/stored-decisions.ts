import type { Bench, Case, Figure } from '../lib/case.ts';
import { stockDecisions } from '../lib/decision-stock.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const waiting = 20;
const works = ['list: 20 that wait', 'get', 'whoami'] as const;
type Work = (typeof works)[number];

/** Whether decisions cost the same in a home with many. */
export const storedDecisions: Case = {
  name: 'stored-decisions',
  about: '1,000 and 1,000,000 stored decisions, 500 and 10,000 of one person',
  run: measureLists,
};

async function measureLists(bench: Bench) {
  const many = bench.quick ? 10_000 : 1_000_000;
  const stocks = { few: { all: 1_000, own: 500 }, many: { all: many, own: many / 100 } };
  const homes = new Map<keyof typeof stocks, { home: BenchHome; busy: Friend }>();
  const costs = { few: emptyCosts(), many: emptyCosts() };
  try {
    for (const name of ['few', 'many'] as const) {
      const began = performance.now();
      const { all, own } = stocks[name];
      const home = await startBenchHome({ layout: 'own-postgres' });
      const [busy] = await makeFriends(home, 2);
      homes.set(name, { home, busy: busy! });
      await stockDecisions(home.databaseUrl!, { busy: busy!.id, own, waiting, others: all - own });
      bench.say(`${number(all)} decisions: made in ${number((performance.now() - began) / 1_000)} s`);
    }
    // In turns, so that other load on the machine affects each alike; the first rounds warm up.
    for (let round = -2; round < (bench.quick ? 3 : 9); round += 1)
      for (const work of works)
        for (const [name, { home, busy }] of homes) {
          const cost = await readCost(bench, home, busy, work);
          if (round >= 0) costs[name][work].push(cost);
        }
  } finally {
    for (const { home } of homes.values()) await home.stop();
  }
  const figures = works.flatMap((work): Figure[] => [
    { name: `${work}: with 1,000`, value: median(costs.few[work]), unit: 'CPU µs' },
    {
      name: `${work}: with ${number(many)}, of that`,
      value: median(costs.many[work].map((cost, round) => cost / costs.few[work][round]!)),
      unit: 'x',
      mark: { atMost: 1.1 },
    },
  ]);
  return { figures, details: costs };
}

const emptyCosts = () =>
  Object.fromEntries(works.map((work) => [work, []])) as unknown as Record<Work, number[]>;

async function readCost(bench: Bench, home: BenchHome, { ai }: Friend, work: Work): Promise<number> {
  const requests = await openRequests(home, 16);
  const get = (path: string) => rawRequest('GET', path, ai.key);
  const list = get(`/v0/decisions?waiting_on=me&limit=${waiting}`);
  const made = { 'list: 20 that wait': [list], get: [] as string[], whoami: [get('/v0/me')] };
  if (work === 'get') {
    const answer = await fetch(`http://127.0.0.1:${home.ports[0]}/v0/decisions?limit=100`, {
      headers: { authorization: `Bearer ${ai.key}` },
    });
    const { decisions } = (await answer.json()) as { decisions: { id: string }[] };
    made.get = decisions.map(({ id }) => get(`/v0/decisions/${id}`));
  }
  let turn = 0;
  const next = () => made[work][turn++ % made[work].length]!;
  const { cpuUs } = await requests.keep(bench.quick ? 0.5 : 0.8, next);
  requests.close();
  return cpuUs;
}
