import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type Layout, startBenchHome } from '../lib/home.ts';
import { memoryByName } from '../lib/processes.ts';
import { number } from '../lib/table.ts';
import { startTraffic } from '../lib/traffic.ts';

const aiCount = 1_000;
const inFlight = 64;
/** Longer than an unused Postgres connection stays open: an idle home has released what its work left. */
const restMs = 40_000;
const servers: readonly string[] = ['postgres', 'nats-server', 'redis-server'];
const marks = { one: 200, split: 700 } as const;

/** The memory of a home that has just started, and what it retains after work. */
export const memory: Case = {
  name: 'memory',
  about: 'PSS of a home that is idle, and idle again after 1,000 sign-ups and 100,000 messages',
  run: eachLayout(['one', 'split'], measure),
};

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: unknown }> {
  const home = await startBenchHome({ layout });
  const look = async (when: string) => {
    await sleep(bench.quick ? 3_000 : restMs);
    const of = memoryByName(home.pids());
    bench.say(`${layout}, ${when}: ${wordsOf(of)}`);
    return { of, whole: counted(layout, of) };
  };
  try {
    const idle = await look('idle');
    const ais = await signUpCrowd(home.ports, aiCount);
    const signedUp = await look(`after ${number(aiCount)} sign-ups`);
    const count = bench.quick ? 10_000 : 100_000;
    const traffic = await startTraffic({ ais, ports: home.ports });
    const loop = traffic.closedLoop(inFlight);
    while (traffic.tally.delivered < count && traffic.tally.errors < 100) await sleep(100);
    await loop.stop();
    await traffic.drain();
    traffic.stop();
    const after = await look(`after ${number(traffic.tally.delivered)} messages`);
    const atMost = marks[layout as keyof typeof marks];
    return {
      details: { idle: idle.of, signedUp: signedUp.of, after: after.of },
      figures: [
        { name: `${layout}: idle`, value: idle.whole, unit: 'MB', mark: { atMost } },
        { name: `${layout}: after the sign-ups`, value: signedUp.whole, unit: 'MB' },
        {
          name: `${layout}: after the messages`,
          value: after.whole,
          unit: 'MB',
          mark: { atMost: 1.3 * atMost },
        },
        { name: `${layout}: failed requests`, value: traffic.tally.errors, unit: '', mark: { atMost: 0 } },
      ],
    };
  } finally {
    await home.stop();
  }
}

/** A single process counts with its embedded Postgres; separate services count without the servers that they share. */
function counted(layout: Layout, of: Record<string, number>): number {
  const names = Object.keys(of).filter((name) => layout === 'one' || !servers.includes(name));
  return names.reduce((sum, name) => sum + of[name]!, 0) / 2 ** 20;
}

function wordsOf(of: Record<string, number>): string {
  return Object.entries(of)
    .map(([name, bytes]) => `${name} ${number(bytes / 2 ** 20)}`)
    .join(', ');
}
