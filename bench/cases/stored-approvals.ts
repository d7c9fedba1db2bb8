import { stockApprovals } from '../lib/approval-stock.ts';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const inFlight = 16;
const waiting = 20;
const requested = 1_000;
const works = [
  'list: 20 that wait',
  'list: what one asked',
  'list: approved, a far page',
  'requests: 20 of 1,000',
  'get',
  'ask',
] as const;
type Work = (typeof works)[number];
type Costs = Record<Work, number[]>;

/** A home with stored asks, and work on them. */
interface Stocked {
  /** The home's CPU µs for each repetition. */
  do(work: Work): Promise<number>;
  stop(): Promise<void>;
}

/** Whether asks cost the same in a home with many as in one with few. */
export const storedApprovals: Case = {
  name: 'stored-approvals',
  about: `1,000 and 1,000,000 stored approvals; half of 1,000 and 10,000 of one who asked and one who was asked; 1,000 requests wait for a third`,
  async run(bench) {
    const many = bench.quick ? 100_000 : 1_000_000;
    const stocks = { few: { all: 1_000, own: 500 }, many: { all: many, own: 10_000 } };
    const homes = new Map<keyof typeof stocks, Stocked>();
    const costs = { few: emptyCosts(), many: emptyCosts() };
    try {
      for (const name of ['few', 'many'] as const) {
        const began = performance.now();
        const { all, own } = stocks[name];
        homes.set(name, await startStocked(bench, all, own));
        const seconds = (performance.now() - began) / 1_000;
        bench.say(`${number(all)} approvals: made in ${number(seconds)} s`);
      }
      // In turns, so that other load on the machine affects each alike; the first rounds warm up.
      for (let round = -2; round < (bench.quick ? 3 : 7); round += 1) {
        for (const work of works) {
          for (const [name, home] of homes) {
            const cost = await home.do(work);
            if (round >= 0) costs[name][work].push(cost);
          }
        }
      }
    } finally {
      for (const home of homes.values()) await home.stop();
    }
    return { figures: works.flatMap((work) => figuresOf(work, costs, many)), details: costs };
  },
};

function figuresOf(work: Work, { few, many }: { few: Costs; many: Costs }, count: number): Figure[] {
  return [
    { name: `${work}: with 1,000`, value: median(few[work]), unit: 'CPU µs' },
    {
      name: `${work}: with ${number(count)}, of that`,
      value: median(many[work].map((cost, round) => cost / few[work][round]!)),
      unit: 'x',
      mark: { atMost: 1.1 },
    },
  ];
}

function emptyCosts(): Costs {
  return Object.fromEntries(works.map((work) => [work, [] as number[]])) as Costs;
}

async function startStocked(bench: Bench, all: number, own: number): Promise<Stocked> {
  const home = await startBenchHome({ layout: 'own-postgres' });
  try {
    const friends = await makeFriends(home, 32);
    const [asked, asker, third] = friends as [Friend, Friend, Friend];
    const busy = { asked: asked.id, asker: asker.id };
    const requests = { of: third.id, count: requested };
    await stockApprovals(home.databaseUrl!, { busy, own, waiting, others: all - own, requests });
    return await worksOf(bench, home, friends, own);
  } catch (error) {
    await home.stop();
    throw error;
  }
}

async function worksOf(
  bench: Bench,
  home: BenchHome,
  friends: readonly Friend[],
  own: number,
): Promise<Stocked> {
  const seconds = bench.quick ? 0.5 : 0.8;
  const [asked, asker, third] = friends as [Friend, Friend, Friend];
  const approved = '/v0/approvals?status=approved&limit=20';
  const { ids, far } = await walk(home, asked.ai.key, own / 2);
  const list = (path: string, { ai }: Friend) => [rawRequest('GET', path, ai.key)];
  const made: Record<Work, string[]> = {
    'list: 20 that wait': list('/v0/approvals?limit=20', asked),
    'list: what one asked': list('/v0/approvals?limit=20', asker),
    'list: approved, a far page': list(`${approved}&cursor=${far}`, asked),
    'requests: 20 of 1,000': list('/v0/requests?limit=20', third),
    // The same number from each stock, so that the number makes no difference.
    get: ids.slice(0, 200).map((id) => rawRequest('GET', `/v0/approvals/${id}`, asked.ai.key)),
    ask: friends.slice(2).map(({ ai }, index) =>
      rawRequest('POST', '/v0/approvals', ai.key, {
        title: 'May I book the 9:30 train?',
        to: [friends[(index ^ 1) + 2]!.address],
      }),
    ),
  };
  let turn = 0;
  return {
    async do(work) {
      const requests = await openRequests(home, inFlight);
      const next = () => made[work][turn++ % made[work].length]!;
      const { cpuUs } = await requests.keep(seconds, next, work === 'ask' ? 201 : 200);
      requests.close();
      return cpuUs;
    },
    stop: () => home.stop(),
  };
}

/** The ids of approved asks up to that depth of the list, and the cursor there. */
async function walk(home: BenchHome, key: string, depth: number): Promise<{ ids: string[]; far: string }> {
  const ids: string[] = [];
  let far = '';
  while (ids.length < depth) {
    const after = far === '' ? '' : `&cursor=${encodeURIComponent(far)}`;
    const answer = await fetch(
      `http://127.0.0.1:${home.ports[0]}/v0/approvals?status=approved&limit=100${after}`,
      { headers: { authorization: `Bearer ${key}` } },
    );
    const page = (await answer.json()) as { approvals: { id: string }[]; next_cursor: string };
    ids.push(...page.approvals.map(({ id }) => id));
    far = page.next_cursor;
  }
  return { ids, far: encodeURIComponent(far) };
}
