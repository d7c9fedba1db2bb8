import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { holdPoll } from '../lib/held-poll.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { type RawClient, rawClient, rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { openStock } from '../lib/stock.ts';
import { number } from '../lib/table.ts';

const actives = 100;
const inFlight = 16;
const works = ['send', 'list unread', 'wake'] as const;
type Work = (typeof works)[number];

/** A home with stored data, and work on the recipient with most of its messages. */
interface Grown {
  home: BenchHome;
  /** The home's CPU µs for each repetition. */
  do(work: Work): Promise<number>;
  stop(): Promise<void>;
}

/** Whether work costs the same in a home with much data as in one with little. */
export const growth: Case = {
  name: 'growth',
  about: '1,000 and 1,000,000 stored messages of one recipient; 100 and 100,000 AIs',
  async run(bench) {
    const many = bench.quick ? 100_000 : 1_000_000;
    const crowd = bench.quick ? 10_000 : 100_000;
    const stocks = {
      little: { messages: 1_000, ais: 0 },
      messages: { messages: many, ais: 0 },
      ais: { messages: 1_000, ais: crowd },
    };
    type Name = keyof typeof stocks;
    const names = Object.keys(stocks) as Name[];
    const homes = new Map<Name, Grown>();
    const costs: Record<Name, Record<Work, number[]>> = {
      little: emptyCosts(),
      messages: emptyCosts(),
      ais: emptyCosts(),
    };
    try {
      for (const name of names) {
        const began = performance.now();
        homes.set(name, await grow(bench, stocks[name].messages, stocks[name].ais));
        bench.say(
          `${number(stocks[name].messages)} messages, ${number(actives + stocks[name].ais)} AIs: made in ${number((performance.now() - began) / 1_000)} s`,
        );
      }
      // In turns, so that other load on the machine affects each alike; the first round warms up.
      for (let round = 0; round <= (bench.quick ? 3 : 7); round += 1) {
        for (const work of works) {
          for (const name of names) {
            const cost = await homes.get(name)!.do(work);
            if (round > 0) costs[name][work].push(cost);
          }
        }
      }
    } finally {
      for (const grown of homes.values()) await grown.stop();
    }
    const ratio = (name: Name, work: Work) =>
      median(costs[name][work].map((cost, round) => cost / costs.little[work][round]!));
    const figures: Figure[] = works.flatMap((work) => [
      { name: `${work}: in the little home`, value: median(costs.little[work]), unit: 'CPU µs' },
      {
        name: `${work}: ${number(many)} messages, of 1,000`,
        value: ratio('messages', work),
        unit: 'x',
        mark: { atMost: 1.1 },
      },
      {
        name: `${work}: ${number(crowd)} AIs, of ${actives}`,
        value: ratio('ais', work),
        unit: 'x',
        mark: { atMost: 1.1 },
      },
    ]);
    return { figures, details: costs };
  },
};

function emptyCosts(): Record<Work, number[]> {
  return { send: [], 'list unread': [], wake: [] };
}

async function grow(bench: Bench, messages: number, ais: number): Promise<Grown> {
  const home = await startBenchHome({ layout: 'own-postgres' });
  try {
    const active = await signUpCrowd(home.ports, actives);
    const recipient = active[0]!;
    const stock = await openStock(home.databaseUrl!);
    if (ais > 0) await stock.ais(ais);
    await stock.messages(recipient.address, messages);
    await stock.close();
    return work(bench, home, recipient, active.slice(1));
  } catch (error) {
    await home.stop();
    throw error;
  }
}

function work(bench: Bench, home: BenchHome, recipient: Ai, others: readonly Ai[]): Grown {
  const seconds = bench.quick ? 0.7 : 1;
  const sends = others.map(({ key }) =>
    rawRequest('POST', '/v0/messages', key, {
      to: recipient.address,
      text: 'A message of some length. '.repeat(4),
    }),
  );
  const list = rawRequest('GET', '/v0/messages?unread=true', recipient.key);
  let turn = 0;
  const nextSend = () => sends[turn++ % sends.length]!;

  async function newest(client: RawClient): Promise<string> {
    const reply = await client.request(rawRequest('GET', '/v0/messages?limit=1', recipient.key));
    return JSON.parse(reply.body).messages[0].id;
  }

  /** Sends messages one at a time, each once the recipient's poll has received the previous one. */
  async function wake(): Promise<number> {
    const client = await rawClient({ port: home.ports[0]! });
    let arrived = () => {};
    const problems: string[] = [];
    const poll = holdPoll({
      ai: recipient,
      port: home.ports[0]!,
      since: await newest(client),
      onMessage: () => arrived(),
      onError: (what) => problems.push(what),
    });
    await sleep(100);
    const before = home.cpu();
    const until = performance.now() + seconds * 1_000;
    let count = 0;
    for (; performance.now() < until; count += 1) {
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await client.request(nextSend());
      await Promise.race([arrival, sleep(5_000, undefined, { ref: false })]);
    }
    const cpu = sumOf(cpuBetween(before, home.cpu()));
    poll.stop();
    client.close();
    if (problems.length > 0) throw new Error(`a poll failed: ${problems[0]}`);
    return cpu / count;
  }

  /** Opens connections of its own, because a home closes idle ones. */
  async function keep(next: () => string, status: number): Promise<number> {
    const requests = await openRequests(home, inFlight);
    const { cpuUs } = await requests.keep(seconds, next, status);
    requests.close();
    return cpuUs;
  }

  return {
    home,
    async do(kind) {
      if (kind === 'wake') return wake();
      return kind === 'send' ? keep(nextSend, 201) : keep(() => list, 200);
    },
    stop: () => home.stop(),
  };
}
