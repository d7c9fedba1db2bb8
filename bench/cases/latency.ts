import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { type Layout, layouts, startBenchHome } from '../lib/home.ts';
import { describeWindow, measureWindow, type Window } from '../lib/measure-traffic.ts';
import { printProfiles } from '../lib/profile.ts';
import { quietMachine } from '../lib/settle.ts';
import { median, percentile } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';
import { startTraffic, warmUp } from '../lib/traffic.ts';

const perSecond = 1_000;
const rounds = 3;

interface Round {
  p50: number;
  p99: number;
  max: number;
  cpuPerMessage: number;
  window: Window;
}

/** From the time at which a message was due to its recipient's answered poll. */
export const latency: Case = {
  name: 'latency',
  about: `open model at ${perSecond} messages a second, from the due time to the answered poll`,
  async run(bench) {
    const figures: Figure[] = [];
    const details: Record<string, Round[]> = {};
    for (const layout of layouts) {
      const measured = await measure(bench, layout);
      figures.push(...measured.figures);
      details[layout] = measured.rounds;
    }
    return { figures, details };
  },
};

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; rounds: Round[] }> {
  const home = await startBenchHome({ layout, profile: bench.profile });
  const done: Round[] = [];
  let lost = 0;
  let duplicates = 0;
  try {
    const ais = await signUpCrowd(home.ports, 1_000);
    const traffic = await startTraffic({ ais, ports: home.ports });
    await warmUp(traffic, bench.quick ? 2 : 6);
    const seconds = bench.quick ? 3 : 10;
    for (let round = 0; round < (bench.quick ? 1 : rounds); round += 1) {
      await quietMachine(bench.quick ? 3_000 : 20_000);
      let latencies: number[] = [];
      const window = await measureWindow(home, traffic, async () => {
        latencies = await traffic.openLoop(perSecond, seconds);
      });
      const result = {
        p50: percentile(latencies, 0.5),
        p99: percentile(latencies, 0.99),
        max: percentile(latencies, 1),
        cpuPerMessage: window.cpuPerMessage,
        window,
      };
      done.push(result);
      bench.say(
        `${layout}: ${latencies.length} messages, p50 ${number(result.p50)} ms, p99 ${number(result.p99)} ms, ` +
          `max ${number(result.max)} ms; ${describeWindow(window)}`,
      );
    }
    lost = await traffic.drain();
    duplicates = traffic.tally.duplicates;
    for (const error of traffic.tally.firstErrors) bench.say(`${layout}: ${error}`);
    traffic.stop();
  } finally {
    await home.stop();
  }
  const last = done.at(-1);
  if (home.profileFolder !== undefined && last !== undefined)
    printProfiles(home.profileFolder, last.window, bench.say);
  const middle = (key: 'p50' | 'p99' | 'max' | 'cpuPerMessage') => median(done.map((round) => round[key]));
  const split = layout.startsWith('split');
  return {
    rounds: done,
    figures: [
      { name: `${layout}: p50`, value: middle('p50'), unit: 'ms', mark: { atMost: split ? 4 : 3 } },
      { name: `${layout}: p99`, value: middle('p99'), unit: 'ms', mark: { atMost: split ? 20 : 15 } },
      { name: `${layout}: max`, value: middle('max'), unit: 'ms' },
      { name: `${layout}: CPU for each message`, value: middle('cpuPerMessage'), unit: 'µs' },
      { name: `${layout}: lost and duplicates`, value: lost + duplicates, unit: '', mark: { atMost: 0 } },
    ],
  };
}
