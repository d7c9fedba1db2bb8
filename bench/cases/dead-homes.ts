import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@hearth/testkit/free-port';
import { besideDeadFigures, inTurns, type Others } from '../lib/beside-dead.ts';
import type { Bench, Case } from '../lib/case.ts';
import { type Ai, signUpCrowd } from '../lib/crowd.ts';
import { type BenchHome, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { eventually } from '../lib/settle.ts';
import { type StandInHomes, startStandInHomes } from '../lib/stand-in-homes.ts';
import { openSteadily } from '../lib/steadily.ts';

const liveCount = 10;
const livePerSecond = 50;
const othersPerSecond = 50;
/** By then an idle home has released what its work left. */
const restMs = 40_000;

type Homes = Record<'live' | Others, StandInHomes>;

/** Whether dead homes slow down live ones, compared with the same load on healthy homes. */
export const deadHomes: Case = {
  name: 'dead-homes',
  about: `${liveCount} homes written to beside 1,000 that take what comes and never answer, and beside 1,000 that do`,
  async run(bench) {
    const count = bench.quick ? 200 : 1_000;
    const [live, healthy, dead] = await Promise.all([liveCount, count, count].map(startStandInHomes));
    const homes: Homes = { live: live!, healthy: healthy!, dead: dead! };
    const port = await freePort();
    const others = Object.values(homes).flatMap(({ names }) => names);
    const home = await startBenchHome({
      ...{ layout: 'own-postgres', profile: bench.profile },
      among: { port, others },
    });
    try {
      return await measure(bench, home, homes);
    } finally {
      await home.stop();
      for (const each of Object.values(homes)) await each.stop();
    }
  },
};

async function measure(bench: Bench, home: BenchHome, homes: Homes) {
  const count = homes.dead.names.length;
  const writers = await signUpCrowd(home.ports, 100);
  const next = {
    live: messagesTo(homes.live, writers),
    healthy: messagesTo(homes.healthy, writers),
    dead: messagesTo(homes.dead, writers),
  };
  // Each is contacted once, so that its document and capabilities are known.
  for (const which of ['live', 'healthy', 'dead'] as const) {
    const most = homes[which].names.length;
    await send(home, 100, most / 100, next[which]);
    const all = await eventually(() => homes[which].arrived() >= most, 60_000);
    if (!all) throw new Error(`${homes[which].arrived()} of ${most} ${which} homes were met`);
  }
  const beside = async (others: () => string) => {
    const going = send(home, othersPerSecond, 5, others);
    const taken = await writeLive(homes, home, next.live, 5);
    await going;
    return taken;
  };
  const atRest = async () => {
    await sleep(bench.quick ? 5_000 : restMs);
    return home.memory().pss;
  };
  const warming = send(home, othersPerSecond, 5, next.healthy);
  await writeLive(homes, home, next.live, 5);
  await warming;
  // The same load on healthy homes first; otherwise the memory that any load leaves would be attributed to
  // dead homes.
  await send(home, count / 4, 4, next.healthy);
  await inTurns(bench, (others) => beside(next[others]));
  const memory = { before: await atRest(), after: 0 };
  homes.dead.die();
  // This home doesn't know yet that they are dead: the hardest moment.
  const first = writeLive(homes, home, next.live, 4);
  await send(home, count / 4, 4, next.dead);
  const atFirst = await first;
  await sleep(bench.quick ? 5_000 : 35_000);
  const lags = await inTurns(bench, (others) => beside(next[others]));
  memory.after = await atRest();
  return besideDeadFigures(bench, { atFirst, lags, memory, count }, { atMost: 50 });
}

function messagesTo({ names }: StandInHomes, writers: readonly Ai[]): () => string {
  let turn = 0;
  return () => {
    turn += 1;
    const { key } = writers[turn % writers.length]!;
    const to = `ana.ai-helper@${names[turn % names.length]}`;
    return rawRequest('POST', '/v0/messages', key, { to, text: 'Hello there.' });
  };
}

/** Opens connections of its own, because the home closes idle ones between two rounds. */
async function send(
  { ports }: BenchHome,
  perSecond: number,
  seconds: number,
  next: () => string,
): Promise<number> {
  const steadily = openSteadily(ports);
  const sent = await steadily.send(perSecond, seconds, next);
  steadily.close();
  return sent;
}

/** The lags of items at the live homes. */
async function writeLive(
  { live }: Homes,
  home: BenchHome,
  next: () => string,
  seconds: number,
): Promise<number[]> {
  live.takeLags();
  const before = live.arrived();
  const sent = await send(home, livePerSecond, seconds, next);
  if (!(await eventually(() => live.arrived() >= before + sent, 30_000)))
    throw new Error(`${live.arrived() - before} of ${sent} items came to the live homes`);
  return live.takeLags();
}
