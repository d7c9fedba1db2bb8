import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, type Layout, startBenchHome } from '../lib/home.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { eventually } from '../lib/settle.ts';
import { median } from '../lib/statistics.ts';
import { openSteadily } from '../lib/steadily.ts';
import { number } from '../lib/table.ts';
import { startWebhookReceivers, type WebhookReceivers } from '../lib/webhook-receivers.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
const people = 64;
const receivers = 8;
const perSecond = 40;
const lostAfterMs = 60_000;

/** From an ask to its answer and callback: what the callback adds to an answered ask. */
export const callbacks: Case = {
  name: 'callbacks',
  about: `asks of AIs that AIs answer, with a callback, ${perSecond} a second: CPU of each`,
  run: eachLayout(compared, measure),
};

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: object }> {
  const hooks = await startWebhookReceivers(receivers);
  const env = { HEARTH_DEV_CALLBACKS: hooks.origins.join() };
  const home = await startBenchHome({ layout, profile: bench.profile, env });
  const rounds: { settled: number; called: number }[] = [];
  let lost = 0;
  try {
    const works = worksOf(home, hooks, await makeFriends(home, people));
    const seconds = bench.quick ? 3 : 6;
    await works.called(seconds);
    await works.settled(seconds);
    for (let round = 0; round < (bench.quick ? 2 : 4); round += 1)
      rounds.push({ settled: await works.settled(seconds), called: await works.called(seconds) });
    lost = works.lost();
    works.close();
  } finally {
    await home.stop();
    await hooks.stop();
  }
  for (const { settled, called } of rounds)
    bench.say(`${layout}: a settled ask ${number(settled)}, with its callback ${number(called)} CPU µs`);
  const each = median(rounds.map(({ settled, called }) => called - settled));
  return {
    details: rounds,
    figures: [
      {
        name: `${layout}: a settled ask with its callback`,
        value: median(rounds.map(({ called }) => called)),
        unit: 'CPU µs',
      },
      { name: `${layout}: more than a settled ask`, value: each, unit: 'CPU µs' },
      { name: `${layout}: callbacks lost`, value: lost, unit: '', mark: { atMost: 0 } },
      { name: `${layout}: sent twice`, value: hooks.repeated(), unit: '', mark: { atMost: 0 } },
    ],
  };
}

function worksOf(home: BenchHome, hooks: WebhookReceivers, friends: readonly Friend[]) {
  const steadily = openSteadily(home.ports);
  let turn = 0;
  let lost = 0;
  async function during(seconds: number, called: boolean): Promise<number> {
    const [arrived, before] = [hooks.arrived(), home.cpu()];
    const answers: string[] = [];
    const ask = () => {
      turn += 1;
      const asker = turn % friends.length;
      return rawRequest('POST', '/v0/approvals', friends[asker]!.ai.key, {
        // The callback returns the title, which tells who answers.
        title: `May I book the 9:30 train? ${asker ^ 1}`,
        to: [friends[asker ^ 1]!.address],
        ...(called && { callback: `${hooks.origins[turn % receivers]}/settled` }),
      });
    };
    await steadily.send(perSecond, seconds, ask, 201, (body) => {
      const { id, title } = JSON.parse(body);
      const { key } = friends[Number(title.split('? ')[1])]!.ai;
      answers.push(rawRequest('POST', `/v0/approvals/${id}/reply`, key, { decision: 'approved' }));
    });
    const taken = answers.length;
    if (taken === 0) throw new Error('no ask was taken');
    const settled = await steadily.send(perSecond, taken / perSecond, () => answers.pop()!, 200);
    if (settled < taken) throw new Error(`${taken - settled} answers were not taken`);
    const expected = arrived + (called ? settled : 0);
    await eventually(() => hooks.arrived() >= expected, lostAfterMs);
    lost += expected - hooks.arrived();
    // Includes the work after the last callback.
    await sleep(500);
    return sumOf(cpuBetween(before, home.cpu())) / settled;
  }
  return {
    settled: (seconds: number) => during(seconds, false),
    called: (seconds: number) => during(seconds, true),
    lost: () => lost,
    close: () => steadily.close(),
  };
}
