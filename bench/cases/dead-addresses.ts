import { setTimeout as sleep } from 'node:timers/promises';
import { besideDeadFigures, inTurns, type Others } from '../lib/beside-dead.ts';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { eventually } from '../lib/settle.ts';
import { openSteadily, type Steadily } from '../lib/steadily.ts';
import { subscribeAll } from '../lib/subscribers.ts';
import { startWebhookReceivers, type WebhookReceivers } from '../lib/webhook-receivers.ts';

const liveCount = 10;
const livePerSecond = 100;
const othersPerSecond = 100;
const layout = 'own-postgres';

/** Whether dead addresses slow down live ones, compared with the same load on healthy addresses. */
export const deadAddresses: Case = {
  name: 'dead-addresses',
  about: `${liveCount} addresses woken beside 1,000 that take what comes and never answer, and beside 1,000 that do`,
  async run(bench) {
    const count = bench.quick ? 300 : 1_000;
    const [live, healthy, dead] = await Promise.all([liveCount, count, count].map(startWebhookReceivers));
    const hooks = { live: live!, healthy: healthy!, dead: dead! };
    const env = {
      HEARTH_DEV_CALLBACKS: Object.values(hooks)
        .flatMap(({ origins }) => origins)
        .join(),
    };
    const home = await startBenchHome({ layout, profile: bench.profile, env });
    try {
      return await measure(bench, home, hooks);
    } finally {
      await home.stop();
      for (const each of Object.values(hooks)) await each.stop();
    }
  },
};

type Hooks = Record<'live' | Others, WebhookReceivers>;

async function measure(
  bench: Bench,
  home: BenchHome,
  hooks: Hooks,
): Promise<{ figures: Figure[]; details: Record<string, unknown> }> {
  const count = hooks.dead.origins.length;
  const ais = await signUpCrowd(home.ports, liveCount + 2 * count + 100);
  const taken = (from: number, many: number) => ais.slice(from, from + many);
  const woken = {
    live: taken(0, liveCount),
    healthy: taken(liveCount, count),
    dead: taken(liveCount + count, count),
  };
  const writers = ais.slice(liveCount + 2 * count);
  for (const kind of ['live', 'healthy', 'dead'] as const)
    await subscribeAll(home.ports, woken[kind], hooks[kind].origins);
  const next = {
    live: messagesTo(woken.live, writers),
    healthy: messagesTo(woken.healthy, writers),
    dead: messagesTo(woken.dead, writers),
  };
  const [steadily, beside] = [openSteadily(home.ports), openSteadily(home.ports)];
  const memory = { before: home.memory().pss, after: 0 };
  hooks.dead.die();
  // The home doesn't know yet that they are dead: the hardest moment.
  const first = wakeLive(hooks, steadily, next.live, 4);
  await beside.send(count, 1, next.dead);
  const atFirst = await first;
  await beside.send(othersPerSecond, count / othersPerSecond, next.healthy);
  await sleep(5_000);

  const seconds = 5;
  const lags = await inTurns(bench, async (others) => {
    const going = beside.send(othersPerSecond, seconds, next[others]);
    const taken = await wakeLive(hooks, steadily, next.live, seconds);
    await going;
    return taken;
  });
  memory.after = home.memory().pss;
  steadily.close();
  beside.close();
  return besideDeadFigures(bench, { atFirst, lags, memory, count });
}

function messagesTo(ais: readonly Ai[], writers: readonly Ai[]): () => string {
  let turn = 0;
  return () => {
    turn += 1;
    const { key } = writers[turn % writers.length]!;
    const to = ais[turn % ais.length]!.address;
    return rawRequest('POST', '/v0/messages', key, { to, text: 'Hello there.' });
  };
}

/** The lags of events at the live addresses. */
async function wakeLive(
  { live }: Hooks,
  steadily: Steadily,
  next: () => string,
  seconds: number,
): Promise<number[]> {
  live.takeLags();
  const before = live.arrived();
  const sent = await steadily.send(livePerSecond, seconds, next);
  await eventually(() => live.arrived() >= before + sent, 10_000);
  return live.takeLags();
}
