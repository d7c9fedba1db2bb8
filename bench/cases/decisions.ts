import { startEcho } from '../floor/grpc.ts';
import { barePostgres } from '../floor/postgres.ts';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { clubSize, countRows, makeClubs } from '../lib/decision-stock.ts';
import { eachLayout } from '../lib/each-layout.ts';
import type { Floor } from '../lib/floor.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, type Layout, startBenchHome } from '../lib/home.ts';
import { perOperation } from '../lib/per-operation.ts';
import { printProfiles } from '../lib/profile.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests, type Send } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
/** Concurrent requests share much of their cost, so there is a small load, and one like in `approvals`. */
const loads = [16, 64] as const;
const people = 400;

const kinds = ['answer', 'ask answered', 'course', 'bare', 'commit', 'row', 'select', 'grpc'] as const;
/** CPU µs of each kind of work, measured in turns. */
type Round = Record<(typeof kinds)[number], number>;

/**
 * Answers to decisions compared with answers to asks, and a decision of five people compared with the sum of
 * its parts.
 */
export const decisions: Case = {
  name: 'decisions',
  about: `an answer to a decision, against that to an ask; a decision of ${clubSize} from decide to its record; ${loads.join(' and ')} in flight`,
  run: eachLayout(compared, measure),
};

/**
 * The parts of a decision of five people, each at its cost when done alone, as in `approvals`:
 *
 * - 11 requests: the question, five answers, five approvals. Each is a POST that the gateway refuses for its
 * body.
 * - 24 selects by key: the group, its members, these people and their AIs for the first request; the decision
 * and its people for each answer and approval.
 * - 13 statements that commit: one for each request; the record, in the only service with the key; the signed
 * outcome; and the activity.
 * - 1 Ed25519 signature and 1 canonical form.
 * - 9 rows in batches for the 3 announcements: marked as published, stored for webhooks, in the activity.
 * - 16 calls between services: the gateway's 11, 4 for the first request, the record. In one process each
 * costs an encoding and a decoding of request and answer; else a gRPC call, with a limit count in Redis for
 * each request, 22 wakes over NATS and the 3 announcements in the durable log.
 */
function partsOf({ bare, commit, row, select, grpc }: Round, floor: Floor, layout: Layout): number {
  const { sign, canonicalize, encode, decode, redis, natsPublish, jetstreamPublish } = floor;
  const statements = 24 * select + 13 * commit + 9 * row;
  const inOne = 11 * bare + statements + sign + canonicalize + 16 * 2 * (encode + decode);
  const apart = 16 * grpc + 11 * redis + 22 * natsPublish + 3 * jetstreamPublish;
  return layout === 'split' ? inOne + apart : inOne;
}

const parts = '11 requests + 24 selects + 13 commits + sign + JCS + 9 rows in batches + 32 encodings';
const partsApart = `${parts} + 16 gRPC + 11 Redis + 22 NATS + 3 JetStream`;

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: Round[][] }> {
  const home = await startBenchHome({ layout, profile: bench.profile });
  const details: Round[][] = [];
  const window = { beganUs: 0, endedUs: 0, messages: 0 };
  try {
    const friends = await makeFriends(home, people);
    const clubs = await makeClubs(home.databaseUrl!, friends);
    for (const inFlight of loads) {
      const works = await worksOf(home, friends, clubs, inFlight);
      for (const kind of kinds) await works[kind](bench.quick ? 1.5 : 4);
      await countRows(home.databaseUrl!);
      if (!bench.quick) await warmUp(() => works.course(4));
      window.beganUs ||= nowUs();
      const rounds: Round[] = [];
      for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
        const measured: Partial<Round> = {};
        for (const kind of kinds) measured[kind] = await works[kind](kind === 'course' ? 2 : 0.7);
        rounds.push(measured as Round);
      }
      window.endedUs = nowUs();
      window.messages += works.done();
      await works.close();
      details.push(rounds);
      for (const kind of kinds)
        bench.say(
          `${layout}, ${inFlight} in flight, ${kind}: ${rounds.map((round) => number(round[kind])).join(', ')} CPU µs`,
        );
    }
  } finally {
    await home.stop();
  }
  if (home.profileFolder !== undefined) printProfiles(home.profileFolder, window, bench.say);
  const figures = details.flatMap((rounds, index) => figuresOf(rounds, bench.floor, layout, loads[index]!));
  return { details, figures };
}

/**
 * Repeats the work until its cost no longer falls: seven services compile their hot code separately, each
 * after a while.
 */
async function warmUp(work: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let inVain = 0; inVain < 2; ) {
    const cost = await work();
    inVain = cost < least ? 0 : inVain + 1;
    least = Math.min(least, cost);
  }
}

function figuresOf(rounds: readonly Round[], floor: Floor, layout: Layout, inFlight: number): Figure[] {
  const cost = (kind: keyof Round) => median(rounds.map((round) => round[kind]));
  const summed = rounds.map((round) => partsOf(round, floor, layout));
  const unit = 'CPU µs';
  const load = `${layout}, ${inFlight} in flight`;
  return [
    { name: `${load}: an answer to an ask, signed`, value: cost('ask answered'), unit },
    { name: `${load}: an answer to a decision`, value: cost('answer'), unit },
    {
      name: `${load}: of that to an ask`,
      value: median(rounds.map((round) => round.answer / round['ask answered'])),
      unit: 'x',
      mark: { atMost: 1.5 },
    },
    {
      name: `${load}: a decision of ${clubSize}`,
      value: cost('course'),
      unit,
      floor: { value: median(summed), of: layout === 'split' ? partsApart : parts },
    },
    {
      name: `${load}: of the sum of its parts`,
      value: median(rounds.map(({ course }, index) => course / summed[index]!)),
      unit: 'x',
      mark: { atMost: 3 },
    },
  ];
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

interface Works extends Record<keyof Round, (seconds: number) => Promise<number>> {
  /** The number of agreed decisions. */
  done(): number;
  close(): Promise<void>;
}

const answers = [
  { question_id: 1, answer: 'Soup' },
  { question_id: 2, answer: 'Two bottles of wine' },
];

async function worksOf(
  home: BenchHome,
  friends: readonly Friend[],
  clubs: readonly string[],
  inFlight: number,
): Promise<Works> {
  const requests = await openRequests(home, inFlight);
  const statements = await barePostgres(home.databaseUrl!, 10);
  const echo = await startEcho();
  const bytes = Buffer.alloc(300, 'x');
  const pids = home.pids().filter(({ name }) => name === 'postgres');
  const alone = async (seconds: number, atOnce: number, each: number, work: () => Promise<unknown>) =>
    (await perOperation({ pids, inFlight: atOnce, seconds, each }, work)).cpuUs;
  let turn = 0;
  let done = 0;

  const decide = (club: number) =>
    rawRequest('POST', '/v0/decisions', friends[club * clubSize]!.ai.key, {
      title: 'Dinner at the lake',
      group: clubs[club],
      questions: [
        { kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] },
        { kind: 'bring', prompt: 'What do you bring?' },
      ],
    });
  const by = (club: number, member: number, path: string, body: object) =>
    rawRequest('POST', path, friends[club * clubSize + member]!.ai.key, body);
  const bodyOf = (asked: string) => JSON.parse(asked) as { id: string; status: string; record?: object };

  async function course(send: Send): Promise<void> {
    const club = turn++ % clubs.length;
    const path = `/v0/decisions/${bodyOf(await send(decide(club), 201)).id}`;
    let last = '';
    for (let member = 0; member < clubSize; member += 1)
      last = await send(by(club, member, `${path}/answers`, { answers }), 200);
    const approval = { decision: 'approved', version: 1 };
    for (let member = 0; member < clubSize; member += 1)
      last = await send(by(club, member, `${path}/approve`, approval), 200);
    if (bodyOf(last).record === undefined) throw new Error(`no record: ${last}`);
    done += 1;
  }

  /**
   * Requests for things that other requests create first, each for its own: about as many as are answered in
   * that time.
   */
  async function toNew(seconds: number, make: (index: number) => [string, (id: string) => string]) {
    const pairs = Array.from({ length: Math.ceil(seconds * 300) }, (_, index) => make(index));
    const making = pairs.map(([request]) => request);
    const made: string[] = [];
    await requests.each(making, 201, (body, place) => made.push(pairs[place]![1](bodyOf(body).id)));
    return (await requests.each(made, 200)).cpuUs;
  }

  return {
    done: () => done,
    async close() {
      requests.close();
      echo.stop();
      await statements.close();
    },
    commit: (seconds) => alone(seconds, inFlight, 1, () => statements.insert(1)),
    row: (seconds) => alone(seconds, 2, 50, () => statements.insert(50)),
    select: (seconds) => alone(seconds, inFlight, 1, () => statements.select(1)),
    grpc: async (seconds) => (await perOperation({ inFlight, seconds }, () => echo.call(bytes))).cpuUs,
    async bare(seconds) {
      const refused = friends.map(({ ai }) =>
        rawRequest('POST', '/v0/decisions/4503599627370495/answers', ai.key, { nothing: answers }),
      );
      return (await requests.keep(seconds, () => refused[turn++ % refused.length]!, 400)).cpuUs;
    },
    answer: (seconds) =>
      toNew(seconds, (index) => {
        const club = index % clubs.length;
        const member = index % clubSize;
        return [decide(club), (id) => by(club, member, `/v0/decisions/${id}/answers`, { answers })];
      }),
    'ask answered': (seconds) =>
      toNew(seconds, (index) => {
        const asker = index % friends.length;
        const { address, ai } = friends[asker ^ 1]!;
        const ask = { title: 'May I book the 9:30 train?', to: [address] };
        const answer = { decision: 'approved', note: 'Yes, the one at the window.' };
        return [
          rawRequest('POST', '/v0/approvals', friends[asker]!.ai.key, ask),
          (id) => rawRequest('POST', `/v0/approvals/${id}/reply`, ai.key, answer),
        ];
      }),
    course: async (seconds) => (await requests.courses(seconds, course)).cpuUs,
  };
}
