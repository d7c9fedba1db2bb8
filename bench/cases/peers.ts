import { loadavg } from 'node:os';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { startBenchHome } from '../lib/home.ts';
import { httpWire } from '../lib/http-wire.ts';
import { describeWindow, measureWindow } from '../lib/measure-traffic.ts';
import { type Peer, startPeer } from '../lib/peer.ts';
import { quietMachine } from '../lib/settle.ts';
import { median, percentile } from '../lib/statistics.ts';
import { number, table } from '../lib/table.ts';
import { startTrafficOver, warmUp } from '../lib/traffic.ts';
import type { Wire } from '../lib/wire.ts';
import { xmppWire } from '../lib/xmpp-wire.ts';
import { ejabberd, prosody, startXmpp, type XmppServer } from '../peers/xmpp.ts';

const rates = [200, 500, 1_000];
interface Contender {
  /** A hint how to install it; undefined if it can be started. */
  missing?(): string | undefined;
  start(): Promise<Peer>;
  wire(peer: Peer, parties: number): Promise<Wire>;
}

async function overHttp({ ports }: Peer, parties: number): Promise<Wire> {
  return httpWire({ ais: await signUpCrowd(ports, parties), ports });
}

function overXmpp(name: string, server: XmppServer): Contender {
  return {
    missing: () =>
      server.installed() === undefined
        ? `${name} is left out: apt-get install ${server.packages}`
        : undefined,
    start: () => startXmpp(name, server),
    wire: ({ ports: [port] }, parties) => xmppWire(port!, parties),
  };
}

const hearth = 'Hearth, one process';
const besideEjabberd = 'ejabberd, archive in Postgres';
const besideToy = 'express + pg + LISTEN/NOTIFY, no rules';

const contenders: Readonly<Record<string, Contender>> = {
  [hearth]: { start: () => startBenchHome({ layout: 'one' }), wire: overHttp },
  [besideEjabberd]: overXmpp('ejabberd', ejabberd),
  'prosody, archive in Postgres': overXmpp('prosody', prosody),
  [besideToy]: { start: () => startPeer('toy'), wire: overHttp },
  'bare node:http, nothing stored': { start: () => startPeer('bare'), wire: overHttp },
};

/**
 * At ordinary load nothing is batched: a home with all its rules, compared with the toy, which has none, and
 * with ejabberd.
 */
const marks = [
  { beside: besideToy, rate: 200, atMost: 1.7 },
  ...rates.map((rate) => ({ beside: besideEjabberd, rate, atMost: 0.5 })),
];

interface Round {
  cpu: number;
  p99: number;
}

/** The home compared with other messengers, and with the least that does its work, in the same period. */
export const peers: Case = {
  name: 'peers',
  about:
    '200, 500 and 1,000 messages a second to 1,000 who wait: the home, ejabberd, prosody, a toy, a bare server',
  async run(bench) {
    const figures: Figure[] = [];
    const found = new Map<string, Round[]>();
    for (const [name, contender] of Object.entries(contenders)) {
      const missing = contender.missing?.();
      if (missing !== undefined) {
        bench.say(missing);
        continue;
      }
      const rounds = await measure(bench, name, contender);
      found.set(name, rounds);
      for (const [index, { cpu, p99 }] of rounds.entries()) {
        figures.push({ name: `${name}: CPU at ${rates[index]}/s`, value: cpu, unit: 'µs' });
        figures.push({ name: `${name}: p99 at ${rates[index]}/s`, value: p99, unit: 'ms' });
      }
    }
    for (const { beside, rate, atMost } of marks) {
      const [own, other] = [hearth, beside].map((name) => found.get(name)?.[rates.indexOf(rate)]?.cpu);
      if (own === undefined || other === undefined) continue;
      const name = `${hearth}: CPU at ${rate}/s beside ${beside}`;
      figures.push({ name, value: own / other, unit: 'x', mark: { atMost } });
    }
    const rows = [...found].map(([name, rounds]) => [
      name,
      ...rounds.map(({ cpu }) => number(cpu)),
      rounds.map(({ p99 }) => number(p99)).join(' / '),
    ]);
    bench.say(
      table(['CPU µs a message, all processes', ...rates.map((rate) => `${rate}/s`), 'p99 ms'], rows),
    );
    return { figures };
  },
};

async function measure(bench: Bench, name: string, { start, wire }: Contender): Promise<Round[]> {
  const server = await start();
  try {
    const traffic = await startTrafficOver(await wire(server, bench.quick ? 200 : 1_000));
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
