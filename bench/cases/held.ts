import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { type HeldPoll, holdPoll } from '../lib/held-poll.ts';
import { startBenchHome } from '../lib/home.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { rawClient, rawRequest } from '../lib/raw-client.ts';
import { eachOf, eventually } from '../lib/settle.ts';
import { number } from '../lib/table.ts';

const waitSeconds = 30;
/** Connections from one address; each loopback address has about 28,000 ports. */
const fromOneAddress = 10_000;

/** Many AIs that only wait: the cost of each in memory and, while nothing happens, in CPU. */
export const held: Case = {
  name: 'held',
  about: '10,000 polls held in one gateway, each of another AI',
  async run(bench) {
    return { figures: [...(await measure(bench, 'one')), ...(await measure(bench, 'split'))] };
  },
};

async function measure(bench: Bench, layout: 'one' | 'split'): Promise<Figure[]> {
  const count = bench.quick ? 2_000 : 10_000;
  const home = await startBenchHome({ layout });
  const polls: HeldPoll[] = [];
  const woken: number[] = new Array(count).fill(0);
  const errors: string[] = [];
  let empty = 0;
  try {
    const port = home.ports[0]!;
    const ais = await signUpCrowd(home.ports, count);
    // Each AI polls once without waiting, so that first-use memory isn't attributed to the polls.
    const asking = await Promise.all(Array.from({ length: 32 }, () => rawClient({ port })));
    await eachOf(ais, asking.length, async ({ key }, _, lane) => {
      await asking[lane]!.request(rawRequest('GET', '/v0/messages?unread=true', key));
    });
    await sleep(2_000);
    const before = home.memory();

    const began = performance.now();
    for (const [index, ai] of ais.entries()) {
      const from = `127.0.0.${2 + Math.floor(index / fromOneAddress)}`;
      const onMessage = () => {
        woken[index]! += 1;
      };
      const onEmpty = () => {
        empty += 1;
      };
      polls.push(
        holdPoll({
          ai,
          port,
          from,
          waitSeconds,
          onMessage,
          onEmpty,
          onError: (what) => errors.push(what),
        }),
      );
      // Opens connections gradually, because a listening socket's backlog is short.
      if (index % 100 === 99) await sleep(30);
    }
    await sleep(2_000);
    const openedIn = performance.now() - began;
    const after = home.memory();

    // The first waits end 30 s after their start, so the measurement ends before that.
    const quietMs = Math.min(10_000, waitSeconds * 1_000 - openedIn - 3_000);
    const cpuBefore = home.cpu();
    await sleep(quietMs);
    const cpu = cpuBetween(cpuBefore, home.cpu());
    const idlePercent = sumOf(cpu) / (quietMs * 10);
    bench.say(
      `${layout}: opened in ${number(openedIn / 1_000)} s; idle for ${number(quietMs / 1_000)} s: ${number(idlePercent)} % of a core`,
    );
    if (empty > 0) bench.say(`${layout}: ${empty} waits ended before the idle time did, so that it was none`);

    const wrong = await wakeOne(asking[0]!, ais, woken);
    const each = (bytes: number) => bytes / count / 1_024;
    for (const error of errors.slice(0, 5)) bench.say(`${layout}: ${error}`);
    for (const client of asking) client.close();
    return [
      {
        name: `${layout}: memory of a held poll (RSS)`,
        value: each(after.rss - before.rss),
        unit: 'KB',
        mark: { atMost: 16 },
      },
      { name: `${layout}: memory of a held poll (PSS)`, value: each(after.pss - before.pss), unit: 'KB' },
      { name: `${layout}: idle CPU, all held`, value: idlePercent, unit: '% of a core', mark: { atMost: 5 } },
      {
        name: `${layout}: polls that a wake answered wrongly or not`,
        value: wrong,
        unit: '',
        mark: { atMost: 0 },
      },
      { name: `${layout}: failed polls`, value: errors.length, unit: '', mark: { atMost: 0 } },
    ];
  } finally {
    for (const poll of polls) poll.stop();
    await home.stop();
  }
}

/** Writes to every hundredth AI; returns how many polls wrongly had, or lacked, an answer. */
async function wakeOne(
  client: Awaited<ReturnType<typeof rawClient>>,
  ais: readonly { address: string; key: string }[],
  woken: readonly number[],
): Promise<number> {
  const before = [...woken];
  const addressed = ais.map((_, index) => index % 100 === 1);
  for (const [index, { address }] of ais.entries()) {
    if (!addressed[index]) continue;
    const reply = await client.request(
      rawRequest('POST', '/v0/messages', ais[0]!.key, { to: address, text: 'wake up' }),
    );
    if (reply.status !== 201) throw new Error(`a message was answered with ${reply.status}: ${reply.body}`);
  }
  const isRight = (index: number) => woken[index]! - before[index]! === (addressed[index] ? 1 : 0);
  await eventually(() => ais.every((_, index) => isRight(index)), 2_000);
  return ais.filter((_, index) => !isRight(index)).length;
}
