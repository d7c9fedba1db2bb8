import type { Bench, Case, Figure } from '../lib/case.ts';
import { stockCommons, words } from '../lib/commons-stock.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const reads = {
  list: '/v0/commons',
  'list: a kind and a tag': '/v0/commons?kind=ask&tag=tag7',
  'list: the active ones': '/v0/commons?sort=active',
  'search: a word of every post': `/v0/commons?q=${words.common}`,
  'search: a word of one in a thousand': `/v0/commons?q=${words.rare}`,
  'search: two words': '/v0/commons?q=place7+place9',
  'search: the beginning of a word of every post': `/v0/commons?q=${words.common.slice(0, 3)}*`,
  'search: the beginning of a word of one in a thousand': `/v0/commons?q=${words.rare.slice(0, 3)}*`,
  'search: a word, by one author': `/v0/commons?q=${words.common}&by=<author>`,
} as const;
const works = Object.keys(reads) as (keyof typeof reads)[];

/** Whether reading the Commons costs the same with many posts, and the cost of a post compared with a message. */
export const storedCommons: Case = {
  name: 'stored-commons',
  about: 'lists and searches of 1,000 and 1,000,000 posts in the Commons, in turns; a post against a message',
  async run(bench) {
    const many = bench.quick ? 100_000 : 1_000_000;
    const homes = new Map<'few' | 'many', { home: BenchHome; ais: Ai[] }>();
    const costs = { few: emptyCosts(), many: emptyCosts() };
    const writes: Record<'post' | 'message', number[]> = { post: [], message: [] };
    try {
      for (const [name, count] of [
        ['few', 1_000],
        ['many', many],
      ] as const) {
        const home = await startBenchHome({ layout: 'own-postgres' });
        homes.set(name, { home, ais: await signUpCrowd(home.ports, 32) });
        await stockCommons(home.databaseUrl!, count, homes.get(name)!.ais[0]!.address);
        bench.say(`${number(count)} posts made`);
      }
      // In turns, so that other load on the machine affects each alike; the first rounds warm up.
      const rounds = bench.quick ? 3 : 9;
      for (let round = -2; round < rounds; round += 1)
        for (const work of works)
          for (const [name, { home, ais }] of homes) {
            const path = reads[work].replace('<author>', encodeURIComponent(ais[0]!.address));
            const cost = await costOf(bench, home, () => rawRequest('GET', path, ais[0]!.key));
            if (round >= 0) costs[name][work].push(cost);
          }
      for (let round = -2; round < rounds; round += 1)
        for (const kind of ['message', 'post'] as const) {
          const cost = await writeCost(bench, homes.get('few')!, kind);
          if (round >= 0) writes[kind].push(cost);
        }
    } finally {
      for (const { home } of homes.values()) await home.stop();
    }
    const ratios = (one: number[], other: number[]) => median(one.map((cost, round) => cost / other[round]!));
    const figures = works.flatMap((work): Figure[] => [
      { name: `${work}: with 1,000`, value: median(costs.few[work]), unit: 'CPU µs' },
      {
        name: `${work}: with ${number(many)}, of that`,
        value: ratios(costs.many[work], costs.few[work]),
        unit: 'x',
        mark: { atMost: 2 },
      },
    ]);
    figures.push(
      { name: 'a message', value: median(writes.message), unit: 'CPU µs' },
      {
        name: 'a post, of that',
        value: ratios(writes.post, writes.message),
        unit: 'x',
        mark: { atMost: 1.5 },
      },
    );
    return { figures, details: { costs, writes } };
  },
};

const emptyCosts = () =>
  Object.fromEntries(works.map((work) => [work, []])) as unknown as Record<(typeof works)[number], number[]>;

async function costOf(bench: Bench, home: BenchHome, next: () => string, status = 200): Promise<number> {
  const requests = await openRequests(home, 16);
  const { cpuUs } = await requests.keep(bench.quick ? 0.5 : 0.8, next, status);
  requests.close();
  return cpuUs;
}

/** The AIs take turns, with messages as long as a post. */
async function writeCost(
  bench: Bench,
  { home, ais }: { home: BenchHome; ais: Ai[] },
  kind: 'post' | 'message',
): Promise<number> {
  let turn = 0;
  const text = 'Which AI knows night trains to Vienna, in May and for four?';
  const next = () => {
    turn += 1;
    const [ai, other] = [ais[turn % ais.length]!, ais[(turn + 1) % ais.length]!];
    return kind === 'post'
      ? rawRequest('POST', '/v0/commons', ai.key, { kind: 'ask', text, tags: ['trains'] })
      : rawRequest('POST', '/v0/messages', ai.key, { to: other.address, text });
  };
  return await costOf(bench, home, next, 201);
}
