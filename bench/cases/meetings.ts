import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, type Layout, startBenchHome } from '../lib/home.ts';
import { cpuBetween, sumOf } from '../lib/processes.ts';
import { printProfiles } from '../lib/profile.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests, type RequestCost, type Requests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
const inFlight = 16;
const people = 64;
const slotsOfOffer = 50;
/** More bookings than are possible in a second. */
const mostPerSecond = 2_000;
/** By then events are delivered; records are signed some seconds after their meeting. */
const followMs = 1_500;
const idleSeconds = 4;

const kinds = ['ask', 'booking'] as const;
/** CPU µs, measured in turns: of the request, and of everything that follows from it. */
interface Cost {
  request: number;
  whole: number;
}
type Round = Record<(typeof kinds)[number], Cost>;

/** A booking of a time offered to anyone, compared with an AI's ask to a person. */
export const meetings: Case = {
  name: 'meetings',
  about: `an AI books a time, until the record is signed, against an AI that asks a person; ${inFlight} in flight`,
  run: eachLayout(compared, measure),
};

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: Round[] }> {
  const home = await startBenchHome({ layout, profile: bench.profile });
  const rounds: Round[] = [];
  const window = { beganUs: 0, endedUs: 0, messages: 0 };
  try {
    const works = await worksOf(home, await makeFriends(home, people));
    for (const kind of kinds) await works[kind](bench.quick ? 1.5 : 4);
    await works.idle(idleSeconds);
    window.beganUs = nowUs();
    for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
      const [ask, booking] = [await works.ask(1), await works.booking(1)];
      rounds.push({ ask, booking });
    }
    window.endedUs = nowUs();
    window.messages = works.done();
    await works.close();
  } finally {
    await home.stop();
  }
  if (home.profileFolder !== undefined) printProfiles(home.profileFolder, window, bench.say);
  for (const kind of kinds)
    bench.say(`${layout}, ${kind}: ${rounds.map((round) => number(round[kind].whole)).join(', ')} CPU µs`);
  const cost = (kind: keyof Round) => median(rounds.map((round) => round[kind].whole));
  const ratio = (of: keyof Cost) => median(rounds.map(({ ask, booking }) => booking[of] / ask[of]));
  return {
    details: rounds,
    figures: [
      { name: `${layout}: an ask`, value: cost('ask'), unit: 'CPU µs' },
      { name: `${layout}: a booking and its record`, value: cost('booking'), unit: 'CPU µs' },
      { name: `${layout}: of that to an ask`, value: ratio('whole'), unit: 'x', mark: { atMost: 1.5 } },
      { name: `${layout}: the requests alone`, value: ratio('request'), unit: 'x' },
    ],
  };
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

async function worksOf(home: BenchHome, friends: readonly Friend[]) {
  const database = new pg.Client({ connectionString: home.databaseUrl! });
  await database.connect();
  let turn = 0;
  let done = 0;
  let idleUsPerMs = 0;
  const asks = friends.map(({ ai }, index) =>
    rawRequest('POST', '/v0/approvals', ai.key, {
      ...{ title: 'May I book the 9:30 train?', to: [friends[index ^ 1]!.address] },
    }),
  );
  const tomorrow = Math.ceil(Date.now() / 3_600_000 + 24) * 3_600_000;
  const slots = Array.from({ length: slotsOfOffer }, (_, hour) => ({
    starts_at: new Date(tomorrow + hour * 3_600_000).toISOString(),
  }));

  /** The cost of these requests with everything that follows from them, without the home's idle cost. */
  async function whole(work: (requests: Requests) => Promise<RequestCost>): Promise<Cost> {
    const [before, began] = [home.cpu(), performance.now()];
    const { cpuUs, requests } = await withRequests(work);
    await untilSettled();
    done += requests;
    const spent = sumOf(cpuBetween(before, home.cpu())) - idleUsPerMs * (performance.now() - began);
    return { request: cpuUs, whole: spent / requests };
  }

  /** Opens connections of its own, because a home closes idle ones. */
  async function withRequests<Answer>(work: (requests: Requests) => Promise<Answer>): Promise<Answer> {
    const requests = await openRequests(home, inFlight);
    try {
      return await work(requests);
    } finally {
      requests.close();
    }
  }

  async function untilSettled(): Promise<void> {
    const unsigned = 'select from decisions.meetings where signed_record is null limit 1';
    while ((await database.query(unsigned)).rowCount !== 0) await sleep(50);
    await sleep(followMs);
  }

  /** Bookings of free times, each by the AI of a person other than the one who offers them. */
  async function offerTimes(requests: Requests, count: number): Promise<string[]> {
    const times = { title: 'A call', time_zone: 'UTC', to: ['anyone'], times: slotsOfOffer, slots };
    const hosts = Array.from({ length: Math.ceil(count / slotsOfOffer) }, () => turn++ % friends.length);
    const bookings: string[] = [];
    await requests.each(
      hosts.map((host) => rawRequest('POST', '/v0/meetings/offers', friends[host]!.ai.key, times)),
      201,
      (body, place) => {
        const { id: offer } = JSON.parse(body) as { id: string };
        const guest = friends[hosts[place]! ^ 1]!.ai.key;
        for (const { starts_at: slot } of slots)
          bookings.push(rawRequest('POST', '/v0/meetings', guest, { offer, slot }));
      },
    );
    // Consecutive bookings are for different offers, as in practice.
    return slots.flatMap((_, slot) => bookings.filter((_booking, place) => place % slotsOfOffer === slot));
  }

  return {
    done: () => done,
    close: () => database.end(),
    async idle(seconds: number): Promise<void> {
      const before = home.cpu();
      await sleep(seconds * 1_000);
      idleUsPerMs = sumOf(cpuBetween(before, home.cpu())) / (seconds * 1_000);
    },
    ask: (seconds: number) =>
      whole((requests) => requests.keep(seconds, () => asks[turn++ % asks.length]!, 201)),
    async booking(seconds: number) {
      const bookings = await withRequests((requests) => offerTimes(requests, mostPerSecond * seconds));
      await untilSettled();
      return await whole((requests) => requests.keep(seconds, () => bookings.pop() ?? '', 201));
    },
  };
}
