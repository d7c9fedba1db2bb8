import { type LimitName, limitFor, readLimits, sizesOf } from '@hearth/limits';
import { freePort } from '@hearth/testkit/free-port';
import { paths } from '@hearth/web';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import type { BenchHome } from '../lib/home.ts';
import { allProbes } from '../lib/hostile/all-probes.ts';
import { type Cost, costOf, type Probe, startFullHome, startHostileHome } from '../lib/hostile/probe.ts';
import { registerProgram } from '../lib/hostile/programs.ts';
import { type Stranger, startStranger } from '../lib/hostile/stranger.ts';
import { number, table } from '../lib/table.ts';

const usPerMinute = 60_000_000;
/** The share of one core, in percent, that one network may use. */
const mark = { atMost: 20 };
const limits = readLimits(undefined, { homeName: 'localhost' });

/** The most work that a network without a credential, such as an unknown home's, can cause within a minute. */
export const hostile: Case = {
  name: 'hostile',
  about:
    'the dearest request of each route for a caller without a credential, and for a home never met; the worst mix of a minute',
  async run(bench) {
    const stranger = await startStranger();
    try {
      const port = await freePort();
      const { probes, figures, details, mix } = await measureAdmitted(bench, port, stranger);
      const refused = await measureRefused(bench, port, stranger, probes);
      // As many as get an answer; afterwards the network loses its connections.
      const most = times('unproven_requests_a_minute', 1);
      const ofRefused = (100_000 * most * Math.max(...refused.map(({ value }) => value))) / usPerMinute;
      const worst: Figure[] = [
        { name: 'refused, until connections are cut', value: ofRefused, unit: '% of a core' },
        { name: 'the worst mix of a network', value: mix + ofRefused, unit: '% of a core', mark },
      ];
      return { figures: [...figures, ...refused, ...worst], details };
    } finally {
      await stranger.stop();
    }
  },
};

async function measureAdmitted(bench: Bench, port: number, stranger: Stranger) {
  const home = await startHostileHome({ port, others: stranger.names });
  try {
    const [ai] = await signUpCrowd(home.ports, 1);
    const probes = allProbes({
      bounds: sizesOf(limits),
      visitor: await visit(port),
      client: await registerProgram(port),
      home: stranger.probes(`localhost:${port}`, ai!.address),
    });
    return { probes, ...(await measure(bench, home, probes)) };
  } finally {
    await home.stop();
  }
}

/** A browser that opened the sign-in page. */
async function visit(port: number) {
  const answer = await fetch(`http://localhost:${port}${paths.signIn}`);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await answer.text()) ?? [];
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  if (csrf === '' || cookie === '') throw new Error('the page to sign in gives no proof to its form');
  return { cookie, csrf };
}

/** The cost of refused requests: a network can send as many of these as its line carries. */
async function measureRefused(
  bench: Bench,
  port: number,
  stranger: Stranger,
  probes: readonly Probe[],
): Promise<Figure[]> {
  const names = [
    'GET a path that leads nowhere',
    'POST /federation/inbox: unsigned',
    'POST /oauth/token: a long',
    'a key that does not work, another',
  ];
  const home = await startFullHome({ port, others: stranger.names });
  try {
    const figures: Figure[] = [];
    for (const probe of probes.filter(({ name }) => names.some((part) => name.includes(part)))) {
      await costOf(home, probe, 200);
      const { cpuUs } = await costOf(home, probe, bench.quick ? 200 : 2_000);
      figures.push({ name: `refused: ${probe.name}`, value: cpuUs / 1_000, unit: 'CPU ms each' });
    }
    return figures;
  } finally {
    await home.stop();
  }
}

async function measure(bench: Bench, home: BenchHome, probes: readonly Probe[]) {
  // Warms up, because compiling code is not a request's cost.
  for (const probe of probes) await costOf(home, probe, 2);
  const rough: Cost[] = [];
  for (const probe of probes) rough.push(await costOf(home, probe, bench.quick ? 10 : 30));
  // The kernel counts CPU in steps of 10 ms, so the relevant probes are measured again, for longer.
  const costs: Cost[] = [];
  for (const each of dearest(rough, bench.quick ? 3 : 6)) {
    const wanted = Math.ceil((bench.quick ? 300_000 : 1_000_000) / Math.max(each.cpuUs, 200));
    costs.push(await costOf(home, each.probe, Math.max(10, wanted)));
  }
  const worst = dearest(costs, 1);
  const shown = [...costs].sort((one, other) => ofMinute(other) - ofMinute(one));
  bench.say(
    table(
      ['request', 'status', 'CPU ms', 'a minute', 'CPU ms a minute', 'by'],
      shown.map((cost) => [
        cost.probe.name,
        String(cost.status),
        number(cost.cpuUs / 1_000),
        number(admitted(cost)),
        number(ofMinute(cost) / 1_000),
        tightest(cost)!,
      ]),
    ),
  );
  const figures: Figure[] = worst.map((cost) => ({
    name: `${tightest(cost)}: ${cost.probe.name}`,
    value: (100 * ofMinute(cost)) / usPerMinute,
    unit: '% of a core',
  }));
  const mix = figures.reduce((sum, { value }) => sum + value, 0);
  return {
    figures,
    mix,
    details: { costs: costs.map(({ probe, ...cost }) => ({ name: probe.name, ...cost })) },
  };
}

/** The most expensive probes of a minute under each limit. */
function dearest(costs: readonly Cost[], count: number): Cost[] {
  const groups = Map.groupBy(costs, tightest);
  return [...groups.values()].flatMap((group) =>
    group.sort((one, other) => ofMinute(other) - ofMinute(one)).slice(0, count),
  );
}

/**
 * The limit that is exhausted first. The cost of a mix is at most the sum, over the limits, of the most
 * expensive request that each bounds: every request is attributed to one limit only, though it counts against
 * others too. A limit of an hour or a day can be exhausted within one minute.
 */
function tightest({ uses }: Cost): LimitName | undefined {
  const names = Object.keys(uses) as LimitName[];
  return names.sort((one, other) => times(one, uses[one]!) - times(other, uses[other]!))[0];
}

const times = (limit: LimitName, points: number): number =>
  (limitFor(limits, limit, 'anyone') ?? Number.POSITIVE_INFINITY) / Math.max(points, 1e-9);

function admitted(cost: Cost): number {
  const limit = tightest(cost);
  return limit === undefined ? 0 : Math.floor(times(limit, cost.uses[limit]!));
}

const ofMinute = (cost: Cost): number => cost.cpuUs * admitted(cost);
