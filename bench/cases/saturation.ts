import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { messageFloor } from '../lib/floor.ts';
import { type Layout, layouts, startBenchHome } from '../lib/home.ts';
import { describeWindow, measureWindow, type Window } from '../lib/measure-traffic.ts';
import { printProfiles } from '../lib/profile.ts';
import { startTraffic, warmUp } from '../lib/traffic.ts';

const inFlights = [128, 256, 512];

interface Round extends Window {
  inFlight: number;
}

/** How many messages a second go from a POST to their recipient's answered poll, and the cost of each. */
export const saturation: Case = {
  name: 'saturation',
  about: '1,000 AIs, each with a held poll; closed loop of messages from each to the next',
  async run(bench) {
    const figures: Figure[] = [];
    const details: Record<string, unknown> = {};
    for (const layout of layouts) {
      const measured = await saturate(bench, layout);
      figures.push(...measured.figures);
      details[layout] = measured.rounds;
    }
    return { figures, details };
  },
};

async function saturate(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; rounds: Round[] }> {
  const home = await startBenchHome({ layout, profile: bench.profile });
  const rounds: Round[] = [];
  let lost = 0;
  let duplicates = 0;
  let errors = 0;
  try {
    const ais = await signUpCrowd(home.ports, bench.quick ? 300 : 1_000);
    const traffic = await startTraffic({ ais, ports: home.ports });
    await warmUp(traffic, bench.quick ? 3 : 8);
    for (const inFlight of inFlights) {
      const loop = traffic.closedLoop(inFlight);
      await sleep(1_000);
      const window = await measureWindow(home, traffic, () => sleep(bench.quick ? 2_000 : 4_000));
      await loop.stop();
      rounds.push({ inFlight, ...window });
      bench.say(`${layout}, ${inFlight} in flight: ${describeWindow(window)}`);
    }
    lost = await traffic.drain();
    ({ duplicates, errors } = traffic.tally);
    for (const error of traffic.tally.firstErrors) bench.say(`${layout}: ${error}`);
    traffic.stop();
  } finally {
    await home.stop();
  }
  const best = rounds.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  if (home.profileFolder !== undefined) printProfiles(home.profileFolder, best, bench.say);
  const none = { atMost: 0 };
  return {
    rounds,
    figures: [
      { name: `${layout}: messages a second`, value: best.perSecond, unit: '/s', mark: { atLeast: 4_000 } },
      {
        name: `${layout}: CPU for each message`,
        value: best.cpuPerMessage,
        unit: 'µs',
        mark: { atMost: 250 },
        floor: messageFloor(bench.floor, layout),
      },
      { name: `${layout}: lost`, value: lost, unit: '', mark: none },
      { name: `${layout}: duplicates`, value: duplicates, unit: '', mark: none },
      { name: `${layout}: failed requests`, value: errors, unit: '', mark: none },
    ],
  };
}
