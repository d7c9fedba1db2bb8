import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type Layout, startBenchHome } from '../lib/home.ts';
import { rawClient, rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['one', 'split'];

/**
 * The cost of an AI's usual poll, which finds nothing: when the gateway may answer it from its cache, and
 * when it must ask each time. Compared with an answer that the gateway caches, and with a read that asks a
 * service and its database: the threads of an AI that has none.
 */
export const wakeUps: Case = {
  name: 'wake-ups',
  about: 'polls that find nothing, against bare authenticated reads; 32 in flight',
  run: eachLayout(compared, measure),
};

async function measure(
  bench: Bench,
  layout: Layout,
): Promise<{ figures: Figure[]; details: Record<string, number[]> }> {
  const home = await startBenchHome({ layout });
  const costs: Record<string, number[]> = { whoami: [], read: [], poll: [], asked: [], waited: [] };
  try {
    const ais = await signUpCrowd(home.ports, 100);
    const cursors = await firstPolls(home.ports[0]!, ais);
    const requests = await openRequests(home, 32);
    let turn = 0;
    const of = (path: (index: number) => string) => {
      const made = ais.map((ai, index) => rawRequest('GET', path(index), ai.key));
      return () => made[turn++ % made.length]!;
    };
    const kinds = {
      whoami: of(() => '/v0/me'),
      read: of(() => '/v0/threads'),
      poll: of((index) => `/v0/ais/me/events?cursor=${cursors[index]}`),
      // A poll with an age is not cached.
      asked: of((index) => `/v0/ais/me/events?cursor=${cursors[index]}&max_age_ms=60000`),
      waited: of((index) => `/v0/ais/me/events/wait?cursor=${cursors[index]}`),
    };
    for (const next of Object.values(kinds)) await requests.keep(bench.quick ? 0.7 : 2, next);
    // In turns, so that other load on the machine affects each alike.
    for (let round = 0; round < (bench.quick ? 2 : 5); round += 1) {
      for (const [kind, next] of Object.entries(kinds))
        costs[kind]!.push((await requests.keep(bench.quick ? 0.7 : 1, next)).cpuUs);
    }
    requests.close();
  } finally {
    await home.stop();
  }
  const cost = (kind: string) => median(costs[kind]!);
  for (const kind of Object.keys(costs))
    bench.say(`${layout}, ${kind}: ${number(cost(kind))} CPU µs for each request`);
  const floor = { value: bench.floor.http, of: '1 HTTP' };
  const mark = { atMost: 1.5 };
  return {
    details: costs,
    figures: [
      { name: `${layout}: whoami, remembered`, value: cost('whoami'), unit: 'CPU µs', floor },
      { name: `${layout}: bare read (no threads)`, value: cost('read'), unit: 'CPU µs', floor },
      { name: `${layout}: poll`, value: cost('poll'), unit: 'CPU µs', floor },
      { name: `${layout}: poll, asked anew`, value: cost('asked'), unit: 'CPU µs', floor },
      { name: `${layout}: wait of no time`, value: cost('waited'), unit: 'CPU µs', floor },
      { name: `${layout}: poll, of whoami`, value: cost('poll') / cost('whoami'), unit: 'x', mark },
      {
        name: `${layout}: poll asked anew, of the bare read`,
        value: cost('asked') / cost('read'),
        unit: 'x',
        mark,
      },
    ],
  };
}

async function firstPolls(port: number, ais: readonly Ai[]): Promise<string[]> {
  const client = await rawClient({ port });
  const cursors: string[] = [];
  for (const ai of ais) {
    const { body } = await client.request(rawRequest('GET', '/v0/ais/me/events', ai.key));
    cursors.push(JSON.parse(body).cursor);
  }
  client.close();
  return cursors;
}
