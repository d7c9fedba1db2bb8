import { setTimeout as sleep } from 'node:timers/promises';
import { bareDelivery } from '../floor/webhook.ts';
import { type AppGroups, makeAppGroups } from '../lib/app-groups.ts';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type BenchHome, type Layout, startBenchHome } from '../lib/home.ts';
import { perOperation } from '../lib/per-operation.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { printProfiles } from '../lib/profile.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { eventually } from '../lib/settle.ts';
import { median, percentile } from '../lib/statistics.ts';
import { openSteadily, type Steadily } from '../lib/steadily.ts';
import { subscribeAll } from '../lib/subscribers.ts';
import { number } from '../lib/table.ts';
import { startWebhookReceivers, type WebhookReceivers } from '../lib/webhook-receivers.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
/** Deliveries a second in an idle home, and in a busy one. */
const quiet = 20;
const busy = 500;
const aiCount = 100;
const appCount = 10;
const groupCount = 10;
const lostAfterMs = 10_000;

/** From an event to the arrival of its signed POST, and the cost of a delivery. */
export const deliveries: Case = {
  name: 'deliveries',
  about: `wake-ups and app webhooks: quiet, ${quiet} a second; busy, ${busy} a second to healthy receivers`,
  run: eachLayout(compared, measure),
};

interface Setting {
  home: BenchHome;
  hooks: WebhookReceivers;
  steadily: Steadily;
  /** A message to an AI with a wake-up, or to one without; a change announced to all apps, or only to one. */
  next: Record<'woken' | 'unheard' | 'apps' | 'one app', () => string>;
}

/** A kind of work: its request, the expected status, the number of deliveries. */
const works = {
  woken: { status: 201, deliveries: 1 },
  unheard: { status: 201, deliveries: 0 },
  apps: { status: 200, deliveries: appCount },
  'one app': { status: 200, deliveries: 1 },
} as const;
type Work = keyof typeof works;

interface Window {
  lags: number[];
  /** The home's CPU µs for each request. */
  cpuUs: number;
  lost: number;
}

interface Costs {
  wakeUp: number;
  appEvent: number;
  floor: number;
}

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: object }> {
  const hooks = await startWebhookReceivers(aiCount + appCount + 1);
  const env = { HEARTH_DEV_CALLBACKS: hooks.origins.join() };
  const home = await startBenchHome({ layout, profile: bench.profile, env });
  const quietly: Record<string, Window> = {};
  const busily: Record<string, Window> = {};
  const costs: Costs[] = [];
  const memory = { before: 0, after: 0 };
  const profiled = { beganUs: 0, endedUs: 0, messages: 0 };
  try {
    const setting = await settle(home, hooks);
    const during = (work: Work, perSecond: number, seconds: number) =>
      measureWork(setting, work, perSecond, bench.quick ? seconds / 2 : seconds);
    for (const work of ['woken', 'apps'] as const) await during(work, quiet, 2);
    for (const work of ['woken', 'apps'] as const) quietly[work] = await during(work, quiet, 10);
    for (const work of Object.keys(works) as Work[]) await during(work, busy, 3);
    memory.before = home.memory().rss;
    const bare = await bareDelivery(home.databaseUrl!, 10);
    const pids = home.pids().filter(({ name }) => name === 'postgres');
    profiled.beganUs = nowUs();
    // In turns, so that other load on the machine affects each alike.
    for (let round = 0; round < (bench.quick ? 2 : 4); round += 1) {
      const floor = await perOperation({ pids, inFlight: 32, seconds: 1 }, () => bare.send());
      const each: Partial<Record<Work, Window>> = {};
      for (const work of Object.keys(works) as Work[]) each[work] = await during(work, busy, 3);
      costs.push(costsOf(each as Record<Work, Window>, floor.cpuUs));
      for (const work of ['woken', 'apps'] as const) {
        const before = busily[work] ?? { lags: [], cpuUs: 0, lost: 0 };
        const { lags, lost, cpuUs } = each[work]!;
        busily[work] = { lags: [...before.lags, ...lags], lost: before.lost + lost, cpuUs };
        profiled.messages += lags.length;
      }
    }
    profiled.endedUs = nowUs();
    memory.after = home.memory().rss;
    await bare.close();
    setting.steadily.close();
  } finally {
    await home.stop();
    await hooks.stop();
  }
  if (home.profileFolder !== undefined) printProfiles(home.profileFolder, profiled, bench.say);
  const named = (what: string) => `${layout}: ${what}`;
  for (const { wakeUp, appEvent, floor } of costs)
    bench.say(
      named(`wake-up ${number(wakeUp)}, app webhook ${number(appEvent)}, floor ${number(floor)} CPU µs`),
    );
  return {
    figures: [
      ...quietFigures(layout, quietly),
      ...busyFigures(layout, busily),
      ...costFigures(layout, costs),
      { name: named('memory grew by'), value: (memory.after - memory.before) / 2 ** 20, unit: 'MB' },
      { name: named('sent twice'), value: hooks.repeated(), unit: '', mark: { atMost: 0 } },
    ],
    details: { costs, memory, quiet: quantiles(quietly), busy: quantiles(busily) },
  };
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

async function settle(home: BenchHome, hooks: WebhookReceivers): Promise<Setting> {
  const ais = await signUpCrowd(home.ports, 3 * aiCount);
  const third = (n: number) => ais.slice(n * aiCount, (n + 1) * aiCount);
  const [woken, unheard, writers] = [third(0), third(1), third(2)];
  await subscribeAll(home.ports, woken, hooks.origins);
  const origins = hooks.origins.slice(aiCount);
  const apps: AppGroups = await makeAppGroups(home, origins.slice(0, appCount), groupCount);
  const oneApp: AppGroups = await makeAppGroups(home, origins.slice(appCount), groupCount);
  const next = {
    woken: messagesTo(woken, writers),
    unheard: messagesTo(unheard, writers),
    apps: apps.rename,
    'one app': oneApp.rename,
  };
  return { home, hooks, steadily: openSteadily(home.ports), next };
}

function messagesTo(ais: readonly Ai[], writers: readonly Ai[]): () => string {
  const made = ais.map(({ address }, index) =>
    rawRequest('POST', '/v0/messages', writers[index]!.key, { to: address, text: 'Hello there.' }),
  );
  let turn = 0;
  return () => made[turn++ % made.length]!;
}

/**
 * Works at a rate of deliveries a second (of requests, for work without deliveries), and waits for the last
 * delivery.
 */
async function measureWork(
  { home, hooks, steadily, next }: Setting,
  work: Work,
  perSecond: number,
  seconds: number,
): Promise<Window> {
  const { status, deliveries } = works[work];
  hooks.takeLags();
  const [arrived, before] = [hooks.arrived(), home.cpu()];
  // A single app is notified as often as the group of ten is.
  const rate = work === 'one app' ? perSecond / appCount : perSecond / Math.max(1, deliveries);
  const sent = await steadily.send(rate, seconds, next[work], status);
  const expected = arrived + sent * deliveries;
  await eventually(() => hooks.arrived() >= expected, lostAfterMs);
  // Includes the work after a delivery.
  await sleep(100);
  const cpuUs = sumOf(cpuBetween(before, home.cpu())) / sent;
  return { lags: hooks.takeLags(), cpuUs, lost: expected - hooks.arrived() };
}

/** The cost that a delivery adds to its request. */
function costsOf(each: Record<Work, Window>, floor: number): Costs {
  return {
    wakeUp: each.woken.cpuUs - each.unheard.cpuUs,
    appEvent: (each.apps.cpuUs - each['one app'].cpuUs) / (appCount - 1),
    floor,
  };
}

function quietFigures(layout: Layout, windows: Record<string, Window>): Figure[] {
  const mark = layout === 'split' ? {} : { mark: { atMost: 20 } };
  return Object.entries(windows).flatMap(([work, { lags }]) => {
    const name = `${layout}: ${words[work]}, ${quiet} a second`;
    return [
      { name: `${name}, p50`, value: percentile(lags, 0.5), unit: 'ms', ...mark },
      { name: `${name}, p99`, value: percentile(lags, 0.99), unit: 'ms' },
    ];
  });
}

function busyFigures(layout: Layout, windows: Record<string, Window>): Figure[] {
  return Object.entries(windows).flatMap(([work, { lags, lost }]) => {
    const name = `${layout}: ${words[work]}, ${busy} a second`;
    return [
      { name: `${name}, p50`, value: percentile(lags, 0.5), unit: 'ms' },
      { name: `${name}, p99`, value: percentile(lags, 0.99), unit: 'ms' },
      { name: `${name}, lost`, value: lost, unit: '', mark: { atMost: 0 } },
    ];
  });
}

function costFigures(layout: Layout, costs: readonly Costs[]): Figure[] {
  const floor = {
    value: median(costs.map((each) => each.floor)),
    of: 'HMAC + Ed25519 + POST + insert + update',
  };
  return (['wakeUp', 'appEvent'] as const).flatMap((kind) => {
    const name = `${layout}: ${kind === 'wakeUp' ? words['woken'] : words['apps']}`;
    const ratios = costs.map((each) => each[kind] / each.floor);
    return [
      { name: `${name}, each`, value: median(costs.map((each) => each[kind])), unit: 'CPU µs', floor },
      { name: `${name}, of the floor`, value: median(ratios), unit: 'x' },
      { name: `${name}, in the worst round`, value: Math.max(...ratios), unit: 'x' },
    ];
  });
}

const words: Record<string, string> = { woken: 'wake-up', apps: 'app webhook' };

const quantiles = (windows: Record<string, Window>) =>
  Object.fromEntries(
    Object.entries(windows).map(([work, { lags }]) => [
      work,
      Object.fromEntries([0.1, 0.5, 0.9, 0.99, 1].map((share) => [share, percentile(lags, share)])),
    ]),
  );
