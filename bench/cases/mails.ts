import { setTimeout as sleep } from 'node:timers/promises';
import { type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
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

const compared: readonly Layout[] = ['own-postgres', 'split'];
const people = 64;
const perSecond = 40;
const lostAfterMs = 60_000;

/** From an ask by email to its arrival at the mail server: what the mail adds to asking a person. */
export const mails: Case = {
  name: 'mails',
  about: `asks by email to a local mail server, ${perSecond} a second: CPU of each mail`,
  run: eachLayout(compared, measure),
};

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: object }> {
  const sink = await startSmtpSink();
  const home = await startBenchHome({ layout, profile: bench.profile, env: { SMTP_URL: sink.url } });
  const rounds: { asked: number; mailed: number }[] = [];
  let lost = 0;
  try {
    const works = worksOf(home, sink, await makeFriends(home, people));
    const seconds = bench.quick ? 3 : 6;
    await works.mailed(seconds);
    await works.asked(seconds);
    for (let round = 0; round < (bench.quick ? 2 : 4); round += 1)
      rounds.push({ asked: await works.asked(seconds), mailed: await works.mailed(seconds) });
    lost = works.lost();
    works.close();
  } finally {
    await home.stop();
    await sink.stop();
  }
  for (const { asked, mailed } of rounds)
    bench.say(`${layout}: an ask ${number(asked)}, by mail ${number(mailed)} CPU µs`);
  const each = median(rounds.map(({ asked, mailed }) => mailed - asked));
  return {
    details: rounds,
    figures: [
      {
        name: `${layout}: an ask by mail`,
        value: median(rounds.map(({ mailed }) => mailed)),
        unit: 'CPU µs',
      },
      { name: `${layout}: more than an ask of a person`, value: each, unit: 'CPU µs' },
      { name: `${layout}: mails lost`, value: lost, unit: '', mark: { atMost: 0 } },
    ],
  };
}

function worksOf(home: BenchHome, sink: SmtpSink, friends: readonly Friend[]) {
  const steadily = openSteadily(home.ports);
  let turn = 0;
  let lost = 0;
  const ask = (to: (turn: number) => string) => () => {
    turn += 1;
    const { key } = friends[turn % friends.length]!.ai;
    const body = { title: 'May I book the 9:30 train?', to: [to(turn)] };
    return rawRequest('POST', '/v0/approvals', key, body);
  };
  async function during(seconds: number, next: () => string, mailed: boolean): Promise<number> {
    const [arrived, before] = [sink.mails.length, home.cpu()];
    const sent = await steadily.send(perSecond, seconds, next);
    if (sent === 0) throw new Error('no ask was taken');
    const expected = arrived + (mailed ? sent : 0);
    await eventually(() => sink.mails.length >= expected, lostAfterMs);
    lost += expected - sink.mails.length;
    // Includes the work after the last mail.
    await sleep(500);
    return sumOf(cpuBetween(before, home.cpu())) / sent;
  }
  return {
    asked: (seconds: number) =>
      during(
        seconds,
        ask((n) => friends[(n % friends.length) ^ 1]!.address),
        false,
      ),
    mailed: (seconds: number) =>
      during(
        seconds,
        ask((n) => `reader-${n}@example.org`),
        true,
      ),
    lost: () => lost,
    close: () => steadily.close(),
  };
}
