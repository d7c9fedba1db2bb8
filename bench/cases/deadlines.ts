import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { countOpen, makeClubs, stockDeadlines } from '../lib/decision-stock.ts';
import { makeFriends } from '../lib/friends.ts';
import { startBenchHome } from '../lib/home.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { printProfiles } from '../lib/profile.ts';
import { percentile } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';
import { startTraffic } from '../lib/traffic.ts';

/** How a home processes many deadlines of the same second. */
export const deadlines: Case = {
  name: 'deadlines',
  about: '10,000 deadlines of decisions that fall into one second, beside held polls',
  run: measure,
};

const usualSeconds = 5;
const perSecond = 20;

/** From the second in which all are due: the time and CPU until none is open, and how late held polls are answered. */
async function measure(bench: Bench) {
  const count = bench.quick ? 2_000 : 10_000;
  const home = await startBenchHome({ layout: 'own-postgres', profile: bench.profile });
  const window = { beganUs: 0, endedUs: 0, messages: 0 };
  try {
    const friends = await makeFriends(home, 50);
    await makeClubs(home.databaseUrl!, friends);
    const ais = await signUpCrowd(home.ports, 50);
    const traffic = await startTraffic({ ais, ports: home.ports });
    await traffic.openLoop(perSecond, 2);
    const at = Date.now() + 1_000 * (usualSeconds + 5);
    await stockDeadlines(home.databaseUrl!, { people: friends.map(({ id }) => id), count, at });
    const usual = await traffic.openLoop(perSecond, usualSeconds);
    await sleep(at - Date.now());

    window.beganUs = nowUs();
    const began = performance.now();
    const before = home.cpu();
    let open = count;
    let busy: number[] = [];
    let seconds = 0;
    while (open > 0 && seconds < 120) {
      busy = busy.concat(await traffic.openLoop(perSecond, 1));
      open = await countOpen(home.databaseUrl!);
      seconds = (performance.now() - began) / 1_000;
    }
    const cpu = cpuBetween(before, home.cpu());
    window.endedUs = nowUs();
    window.messages = count - open;
    traffic.stop();
    if (open > 0) bench.say(`${open} of ${number(count)} were still open after ${number(seconds)} s`);
    const [p99, p99Usual] = [percentile(busy, 0.99), percentile(usual, 0.99)];
    const figures: Figure[] = [
      { name: `${number(count)} deadlines worked off`, value: seconds, unit: 's', mark: { atMost: 10 } },
      { name: 'each', value: sumOf(cpu) / (count - open), unit: 'CPU µs' },
      { name: 'p99 of a held poll before', value: p99Usual, unit: 'ms' },
      {
        name: 'p99 of a held poll meanwhile, of that',
        value: p99 / p99Usual,
        unit: 'x',
        mark: { atMost: 2 },
      },
    ];
    return { figures, details: { cpu, usual, busy } };
  } finally {
    await home.stop();
    if (home.profileFolder !== undefined && window.messages > 0)
      printProfiles(home.profileFolder, window, bench.say);
  }
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);
