import { startEcho } from '../floor/grpc.ts';
import { barePostgres } from '../floor/postgres.ts';
import type { Bench, Case, Figure } from '../lib/case.ts';
import { eachLayout } from '../lib/each-layout.ts';
import type { Floor } from '../lib/floor.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, type Layout, startBenchHome } from '../lib/home.ts';
import { perOperation } from '../lib/per-operation.ts';
import { printProfiles } from '../lib/profile.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
const inFlight = 64;
const people = 128;

/** CPU µs of each kind of work, measured in turns. */
interface Round {
  'ask and answer': number;
  /** A request that is refused for its body. */
  bare: number;
  /** A row and its announcement in one statement; `row` is one such row in a batch of 50. */
  commit: number;
  row: number;
  /** A select by key. */
  select: number;
  /** A gRPC call. */
  grpc: number;
}

type Kind = keyof Round;
const kinds: readonly Kind[] = ['ask and answer', 'bare', 'commit', 'row', 'select', 'grpc'];

/** From an ask to its answer's record, compared with the least that the same steps cost separately. */
export const approvals: Case = {
  name: 'approvals',
  about: `an AI asks a person, whose AI approves: ask, answer, signed record; ${inFlight} in flight`,
  run: eachLayout(compared, measure),
};

/**
 * The sum of the parts, each at its cost when done alone. Requests, statements and gRPC calls are measured in
 * every round alongside the work, on the home's own gateway and Postgres, so that other load on the machine
 * affects both alike; the rest comes from the run's floor.
 *
 * - 2 requests, the ask and the answer. Each is a POST of the same size that the gateway of the same home
 * refuses for its body: routed, authenticated, counted, parsed, answered. Excludes the JSON of the answers.
 * - 4 selects by key, one for each service and step that needs facts for the decision: who is behind the
 * address (identity), whether they share a group (groups), rules, blocks and the sender's history
 * (approvals); the answered ask (approvals).
 * - 4 statements that commit, because nothing may be announced before it is stored: the ask with its
 * recipient and its announcement; the answer that settles it; the record, in the only service with the key
 * (federation); the signed answer with its announcement.
 * - 1 Ed25519 signature and 2 canonical forms: the digest of the question, the record.
 * - 3 rows in batches for each of the 2 announcements: marked as published, stored for webhooks, in the
 * activity.
 * - 5 calls between services: the gateway's 2, the identity, the shared group, the record. In one process
 * each costs an encoding and a decoding of request and answer; else a gRPC call.
 * - In split also: 3 limit counts in Redis (both requests, the day's asks), 2 wake-ups over NATS, and the 2
 * announcements in the durable log.
 */
function partsOf({ bare, commit, row, select, grpc }: Round, floor: Floor, layout: Layout): number {
  const { sign, canonicalize, encode, decode, redis, natsPublish, jetstreamPublish } = floor;
  const statements = 4 * select + 4 * commit + 6 * row;
  const inOne = 2 * bare + statements + sign + 2 * canonicalize + 5 * 2 * (encode + decode);
  const apart = 5 * grpc + 3 * redis + 2 * natsPublish + 2 * jetstreamPublish;
  return layout === 'split' ? inOne + apart : inOne;
}

const parts = '2 requests + 4 selects + 4 commits + sign + 2 JCS + 6 rows in batches + 10 encodings';
const partsApart = `${parts} + 5 gRPC + 3 Redis + 2 NATS + 2 JetStream`;

async function measure(bench: Bench, layout: Layout): Promise<{ figures: Figure[]; details: Round[] }> {
  const home = await startBenchHome({ layout, profile: bench.profile });
  const rounds: Round[] = [];
  const window = { beganUs: 0, endedUs: 0, messages: 0 };
  try {
    const works = await worksOf(home, await makeFriends(home, people));
    for (const kind of kinds) await works[kind](kind === 'ask and answer' && !bench.quick ? 8 : 3);
    window.beganUs = nowUs();
    const warmed = works.done();
    for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
      const measured: Partial<Round> = {};
      for (const kind of kinds) measured[kind] = await works[kind](kind === 'ask and answer' ? 1.5 : 0.6);
      rounds.push(measured as Round);
    }
    window.endedUs = nowUs();
    window.messages = works.done() - warmed;
    await works.close();
  } finally {
    await home.stop();
  }
  if (home.profileFolder !== undefined) printProfiles(home.profileFolder, window, bench.say);
  for (const kind of kinds)
    bench.say(`${layout}, ${kind}: ${rounds.map((round) => number(round[kind])).join(', ')} CPU µs`);
  return { details: rounds, figures: figuresOf(rounds, bench.floor, layout) };
}

function figuresOf(rounds: readonly Round[], floor: Floor, layout: Layout): Figure[] {
  const summed = rounds.map((round) => partsOf(round, floor, layout));
  const ratios = rounds.map((round, index) => round['ask and answer'] / summed[index]!);
  return [
    {
      name: `${layout}: asked, answered, signed`,
      value: median(rounds.map((round) => round['ask and answer'])),
      unit: 'CPU µs',
      floor: { value: median(summed), of: layout === 'split' ? partsApart : parts },
    },
    { name: `${layout}: of the sum of its parts`, value: median(ratios), unit: 'x', mark: { atMost: 1.5 } },
    { name: `${layout}: in the best round`, value: Math.min(...ratios), unit: 'x' },
    { name: `${layout}: in the worst round`, value: Math.max(...ratios), unit: 'x' },
  ];
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

interface Works extends Record<Kind, (seconds: number) => Promise<number>> {
  /** The number of answered asks. */
  done(): number;
  close(): Promise<void>;
}

async function worksOf(home: BenchHome, friends: readonly Friend[]): Promise<Works> {
  const requests = await openRequests(home, inFlight);
  const statements = await barePostgres(home.databaseUrl!, 10);
  const echo = await startEcho();
  const bytes = Buffer.alloc(300, 'x');
  const pids = home.pids().filter(({ name }) => name === 'postgres');
  const alone = async (seconds: number, atOnce: number, each: number, work: () => Promise<unknown>) =>
    (await perOperation({ pids, inFlight: atOnce, seconds, each }, work)).cpuUs;

  const details = 'It is the one that stops at the lake, and two seats are left at the window. '.repeat(2);
  const posts = (title: string) =>
    friends.map(({ ai }, index) =>
      rawRequest('POST', '/v0/approvals', ai.key, {
        [title]: 'May I book the 9:30 train?',
        details,
        to: [friends[index ^ 1]!.address],
      }),
    );
  const [asks, refused] = [posts('title'), posts('nothing')];
  let turn = 0;
  let done = 0;
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
    grpc: async (seconds) => (await perOperation({ inFlight: 16, seconds }, () => echo.call(bytes))).cpuUs,
    async bare(seconds) {
      return (await requests.keep(seconds, () => refused[turn++ % refused.length]!, 400)).cpuUs;
    },
    async 'ask and answer'(seconds) {
      const measured = await requests.courses(seconds, async (send) => {
        const asker = turn++ % friends.length;
        const asked = await send(asks[asker]!, 201);
        const id = /"id":"(apr_[0-9a-f]{32})"/.exec(asked)![1];
        const { key } = friends[asker ^ 1]!.ai;
        const answer = { decision: 'approved', note: 'Yes, the one at the window.' };
        const answered = await send(rawRequest('POST', `/v0/approvals/${id}/reply`, key, answer), 200);
        if (!answered.includes('"signed_answer"')) throw new Error(`no signed answer: ${answered}`);
        done += 1;
      });
      return measured.cpuUs;
    },
  };
}
