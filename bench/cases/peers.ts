import { loadavg } from 'node:os';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { startBenchHome } from '../lib/home.ts';
import { describeWindow, measureWindow } from '../lib/measure-traffic.ts';
import { type Peer, startPeer } from '../lib/peer.ts';
import { quietMachine } from '../lib/settle.ts';
import { median, percentile } from '../lib/statistics.ts';
import { number, table } from '../lib/table.ts';
import { startTraffic, warmUp } from '../lib/traffic.ts';

const rates = [200, 500, 1_000];
const servers: Readonly<Record<string, () => Promise<Peer>>> = {
  'Hearth, one process': () => startBenchHome({ layout: 'one' }),
  'express + pg + LISTEN/NOTIFY, no rules': () => startPeer('toy'),
  'bare node:http, nothing stored': () => startPeer('bare'),
};

/** At ordinary load nothing is gathered: all rules of a home beside the toy, which has none. */
const besideToy = { rate: 200, mark: { atMost: 1.7 } };

interface Round {
  cpu: number;
  p99: number;
}

/** The home beside the least that does its work, in one window of the machine. */
export const peers: Case = {
  name: 'peers',
  about: '200, 500 and 1,000 messages a second beside 1,000 held polls: the home, a toy, a bare server',
  async run(bench) {
    const figures: Figure[] = [];
    const rows: string[][] = [];
    const cpuOf: number[] = [];
    for (const [name, start] of Object.entries(servers)) {
      const measured = await measure(bench, name, await start());
      rows.push([
        name,
        ...measured.map(({ cpu }) => number(cpu)),
        measured.map(({ p99 }) => number(p99)).join(' / '),
      ]);
      cpuOf.push(measured[rates.indexOf(besideToy.rate)]!.cpu);
      for (const [index, { cpu, p99 }] of measured.entries()) {
        figures.push({ name: `${name}: CPU at ${rates[index]}/s`, value: cpu, unit: 'µs' });
        figures.push({ name: `${name}: p99 at ${rates[index]}/s`, value: p99, unit: 'ms' });
      }
    }
    const [hearth, toy] = cpuOf as [number, number];
    figures.push({
      name: `Hearth, one process: CPU beside the toy at ${besideToy.rate}/s`,
      value: hearth / toy,
      unit: 'x',
      mark: besideToy.mark,
    });
    bench.say(
      table(['CPU µs a message, all processes', ...rates.map((rate) => `${rate}/s`), 'p99 ms'], rows),
    );
    return { figures };
  },
};

async function measure(bench: Bench, name: string, server: Peer): Promise<Round[]> {
  try {
    const ais = await signUpCrowd(server.ports, bench.quick ? 200 : 1_000);
    const traffic = await startTraffic({ ais, ports: server.ports });
    await warmUp(traffic, bench.quick ? 2 : 6);
    const measured: Round[] = [];
    for (const rate of rates) {
      const rounds: Round[] = [];
      for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
        await quietMachine(bench.quick ? 1_000 : 20_000);
        let latencies: number[] = [];
        const window = await measureWindow(server, traffic, async () => {
          latencies = await traffic.openLoop(rate, bench.quick ? 3 : 10);
        });
        rounds.push({ cpu: window.cpuPerMessage, p99: percentile(latencies, 0.99) });
        bench.say(`${name}, ${rate}/s: ${describeWindow(window)}; load ${number(loadavg()[0]!)}`);
      }
      measured.push({
        cpu: median(rounds.map(({ cpu }) => cpu)),
        p99: median(rounds.map(({ p99 }) => p99)),
      });
    }
    const lost = await traffic.drain();
    bench.say(`${name}: ${number(lost)} lost, ${number(traffic.tally.duplicates)} doubled`);
    for (const error of traffic.tally.firstErrors) bench.say(`${name}: ${error}`);
    traffic.stop();
    return measured;
  } finally {
    await server.stop();
  }
}
