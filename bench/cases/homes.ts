import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@hearth/testkit/free-port';
import { startTcpProxy, type TcpProxy } from '@hearth/testkit/tcp-proxy';
import pg from 'pg';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { describeWindow, measureWindow, type Window } from '../lib/measure-traffic.ts';
import type { CpuByName } from '../lib/processes.ts';
import { printProfiles } from '../lib/profile.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { quietMachine } from '../lib/settle.ts';
import { median, percentile } from '../lib/statistics.ts';
import { openSteadily } from '../lib/steadily.ts';
import { number } from '../lib/table.ts';
import { startTraffic, type Traffic, warmUp } from '../lib/traffic.ts';

const inFlight = 256;
const perSecond = 20;
const none = { atMost: 0 };

/**
 * Messages between two homes: the time until the wake, the CPU of both compared with messages within one
 * home, and a backlog.
 */
export const homes: Case = {
  name: 'homes',
  about:
    'AIs of two homes that write to each other, in turns with AIs of one; a backlog after a line was cut',
  async run(bench) {
    const pair = await startPair(bench);
    try {
      return await measure(bench, pair);
    } finally {
      await pair.stop();
    }
  },
};

interface Pair {
  ends: readonly [BenchHome, BenchHome];
  names: readonly [string, string];
  /** In front of the second home; its own AIs bypass it. */
  line: TcpProxy;
  stop(): Promise<void>;
}

async function startPair({ profile }: Bench): Promise<Pair> {
  const [first, second, listen] = [await freePort(), await freePort(), await freePort()];
  const names = [`localhost:${first}`, `localhost:${second}`] as const;
  const line = await startTcpProxy(second, listen);
  const home = await startBenchHome({
    ...{ layout: 'own-postgres', profile },
    among: { port: first, others: [names[1]] },
  });
  const other = await startBenchHome({
    ...{ layout: 'own-postgres' },
    among: { port: second, listen, others: [names[0]] },
  });
  return {
    ends: [home, other],
    names,
    line,
    async stop() {
      await Promise.all([home.stop(), other.stop()]);
      await line.stop();
    },
  };
}

async function measure(bench: Bench, { ends, names, line }: Pair) {
  const count = bench.quick ? 100 : 400;
  const both = { cpu: () => ends.map((end) => end.cpu()).reduce(add) };
  const crowds = await Promise.all(ends.map((end) => signUpCrowd(end.ports, count)));
  const ports = ends.map((end) => end.ports[0]!);
  const local = await startTraffic({ ais: crowds[0]!.slice(count / 2), ports: [ports[0]!] });
  const friends = interleaved(crowds, count / 2, names);
  const across = await startTraffic({ ais: friends, ports });
  for (const traffic of [local, across]) await warmUp(traffic, bench.quick ? 3 : 6);

  await quietMachine(bench.quick ? 2_000 : 20_000);
  const lags = await across.openLoop(perSecond, bench.quick ? 10 : 30);
  const p50 = median(lags);
  bench.say(`${perSecond} a second: p50 ${number(p50)} ms, p99 ${number(percentile(lags, 0.99))} ms`);

  const rounds: { local: Window; across: Window }[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 4); round += 1) {
    const [atHome, between] = [
      await measureSaturated(bench, both, local),
      await measureSaturated(bench, both, across),
    ];
    rounds.push({ local: atHome, across: between });
    bench.say(`within one home: ${describeWindow(atHome)}`);
    bench.say(`to the other one: ${describeWindow(between)}`);
  }
  const drained = await drain(bench, ends[0], friends, line);
  const lost = (await local.drain()) + (await across.drain());
  const { duplicates, errors, firstErrors } = across.tally;
  for (const error of firstErrors) bench.say(error);
  for (const traffic of [local, across]) traffic.stop();
  const cpu = (which: 'local' | 'across') => median(rounds.map((round) => round[which].cpuPerMessage));
  if (ends[0].profileFolder !== undefined) {
    await ends[0].stop();
    printProfiles(ends[0].profileFolder, rounds.at(-1)!.across, bench.say);
  }
  const figures: Figure[] = [
    { name: `send to wake at ${perSecond} a second: p50`, value: p50, unit: 'ms', mark: { atMost: 60 } },
    { name: `send to wake at ${perSecond} a second: p99`, value: percentile(lags, 0.99), unit: 'ms' },
    { name: 'CPU for a message within one home', value: cpu('local'), unit: 'µs' },
    { name: 'CPU for a message to the other home, both together', value: cpu('across'), unit: 'µs' },
    {
      name: 'CPU, to the other home of within one',
      value: median(rounds.map((round) => round.across.cpuPerMessage / round.local.cpuPerMessage)),
      unit: 'x',
      mark: { atMost: 3 },
    },
    {
      name: 'messages a second to the other home',
      value: median(rounds.map((round) => round.across.perSecond)),
      unit: '/s',
    },
    { name: 'a backlog drains at', value: drained, unit: '/s', mark: { atLeast: 1_000 } },
    { name: 'lost', value: lost, unit: '', mark: none },
    { name: 'duplicates', value: duplicates, unit: '', mark: none },
    { name: 'failed requests', value: errors, unit: '', mark: none },
  ];
  return { figures, details: { rounds, lags } };
}

/** Alternates between the homes, with full addresses, so that each AI writes to one at the other home. */
function interleaved(crowds: readonly Ai[][], count: number, names: readonly [string, string]): Ai[] {
  return Array.from({ length: count }, (_, index) => {
    const side = index % 2;
    const { address, key } = crowds[side]![index >> 1]!;
    return { address: `${address.slice(1)}@${names[side]}`, key };
  });
}

function add(one: CpuByName, other: CpuByName): CpuByName {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

async function measureSaturated(
  bench: Bench,
  both: Pick<BenchHome, 'cpu'>,
  traffic: Traffic,
): Promise<Window> {
  const loop = traffic.closedLoop(inFlight);
  await sleep(1_000);
  const window = await measureWindow(both, traffic, () => sleep(bench.quick ? 3_000 : 5_000));
  await loop.stop();
  return window;
}

/** Items a second from a backlog that waited for the line, from the first to the last settled item. */
async function drain(bench: Bench, home: BenchHome, friends: readonly Ai[], line: TcpProxy): Promise<number> {
  const [perSecond, seconds] = [1_000, bench.quick ? 3 : 10];
  const steadily = openSteadily(home.ports);
  const database = new pg.Client({ connectionString: home.databaseUrl! });
  await database.connect();
  const open = async () =>
    Number(
      (await database.query('select sum(last_seq - settled_seq) as open from federation.logs')).rows[0].open,
    );
  while ((await open()) > 0) await sleep(100);
  line.set({ cut: 'both' });
  const began = new Date();
  let turn = 0;
  const count = await steadily.send(perSecond, seconds, () => {
    turn = (turn + 2) % friends.length;
    const body = { to: friends[turn + 1]!.address, text: 'A message that waits until the line is whole.' };
    return rawRequest('POST', '/v0/messages', friends[turn]!.key, body);
  });
  const waitUntil = performance.now() + 60_000;
  while ((await open()) < count && performance.now() < waitUntil) await sleep(100);
  bench.say(`${await open()} items wait`);
  line.set({ cut: 'none' });
  while ((await open()) > 0 && performance.now() < waitUntil) await sleep(100);
  const { rows } = await database.query(
    `select count(*), extract(epoch from max(settled_at) - min(settled_at)) as seconds
    from federation.sent_items where created_at >= $1`,
    [began],
  );
  await database.end();
  steadily.close();
  bench.say(`${rows[0].count} items were settled within ${number(Number(rows[0].seconds))} seconds`);
  return Number(rows[0].count) / Number(rows[0].seconds);
}
