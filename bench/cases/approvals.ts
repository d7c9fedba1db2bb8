import type { Bench, Case, Figure } from '../lib/case.ts';
import type { Floor } from '../lib/floor.ts';
import { type Friend, makeFriends } from '../lib/friends.ts';
import { type BenchHome, type Layout, startBenchHome } from '../lib/home.ts';
import { printProfiles } from '../lib/profile.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
const inFlight = 32;
const people = 64;

type Kind = 'bare request' | 'ask and answer';

/** From an ask to the record of its answer, against the least that the same work costs when each step is done alone. */
export const approvals: Case = {
  name: 'approvals',
  about: `an AI asks a person, whose AI approves: ask, answer, signed record; ${inFlight} in flight`,
  async run(bench) {
    const figures: Figure[] = [];
    const details: Record<string, unknown> = {};
    for (const layout of compared) {
      const measured = await measure(bench, layout);
      figures.push(...measured.figures);
      details[layout] = measured.costs;
    }
    return { figures, details };
  },
};

/**
 * What is summed, each as it costs when it is done alone and at the time of the run:
 *
 * - 2 requests, the ask and the answer. Each is a POST of the same size that the gateway refuses for its body, in the same
 *   home: found by its route, known by its key, counted, parsed, answered. The answers' own JSON is not in it.
 * - 4 selects by key, one for each service and moment that something has to be looked up for the decision: who stands
 *   behind the address (identity), whether they share a group (groups), rules, blocks and what was said of the sender
 *   (approvals); the ask that is answered (approvals).
 * - 4 statements that write and commit, for nothing may be told before it is stored: the ask with its recipient and its
 *   announcement; the answer, by which it settles; the record, in the service that alone holds the key (federation); the
 *   signed answer with its announcement.
 * - 1 Ed25519 signature and 2 canonical forms: the digest of what is asked, the record.
 * - Of each of the 2 announcements 3 rows in batches: marked as published, kept for webhooks, in the activity.
 * - 5 calls between services: the gateway's 2, and who it is, whether they share a group, the record. In one process an
 *   encoding and a decoding of request and answer; else a gRPC call each.
 * - Split, too: the 3 counts of limits (both requests, asks of the day) in Redis, 2 wake-ups over NATS, and the 2
 *   announcements in the durable log.
 */
function partsOf(floor: Floor, layout: Layout, request: number): { value: number; of: string } {
  const { sign, canonicalize, insert, insertBatched, select, encode, decode } = floor;
  const work = 4 * select + 4 * insert + sign + 2 * canonicalize + 6 * insertBatched;
  const inOne = 2 * request + work + 5 * 2 * (encode + decode);
  const words = '2 requests + 4 selects + 4 commits + sign + 2 JCS + 6 rows in batches';
  if (layout !== 'split') return { value: inOne, of: `${words} + 10 encodings` };
  const { grpc, redis, natsPublish, jetstreamPublish } = floor;
  const apart = 5 * grpc + 3 * redis + 2 * natsPublish + 2 * jetstreamPublish;
  return { value: inOne + apart, of: `${words} + 10 encodings + 5 gRPC + 3 Redis + 2 NATS + 2 JetStream` };
}

async function measure(
  bench: Bench,
  layout: Layout,
): Promise<{ figures: Figure[]; costs: Record<Kind, number[]> }> {
  const home = await startBenchHome({ layout, profile: bench.profile });
  const costs: Record<Kind, number[]> = { 'bare request': [], 'ask and answer': [] };
  const kinds = Object.keys(costs) as Kind[];
  const window = { beganUs: 0, endedUs: 0, messages: 0 };
  try {
    const works = await worksOf(home, await makeFriends(home, people));
    for (const kind of kinds) await works[kind](bench.quick ? 3 : 8);
    window.beganUs = nowUs();
    const warmed = works.done();
    // In turns, so that what else the machine does falls on each alike.
    for (let round = 0; round < (bench.quick ? 3 : 7); round += 1) {
      for (const kind of kinds) costs[kind].push(await works[kind](bench.quick ? 0.7 : 1.5));
    }
    window.endedUs = nowUs();
    window.messages = works.done() - warmed;
    works.close();
  } finally {
    await home.stop();
  }
  if (home.profileFolder !== undefined) printProfiles(home.profileFolder, window, bench.say);
  for (const kind of kinds) bench.say(`${layout}, ${kind}: ${costs[kind].map(number).join(', ')} CPU µs`);
  const request = median(costs['bare request']);
  const value = median(costs['ask and answer']);
  const floor = partsOf(bench.floor, layout, request);
  return {
    costs,
    figures: [
      { name: `${layout}: bare authenticated POST`, value: request, unit: 'CPU µs' },
      { name: `${layout}: asked, answered, signed`, value, unit: 'CPU µs', floor },
      {
        name: `${layout}: of the sum of its parts`,
        value: value / floor.value,
        unit: 'x',
        mark: { atMost: 1.5 },
      },
    ],
  };
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

interface Works extends Record<Kind, (seconds: number) => Promise<number>> {
  /** How many asks were answered. */
  done(): number;
  close(): void;
}

async function worksOf(home: BenchHome, friends: readonly Friend[]): Promise<Works> {
  const requests = await openRequests(home, inFlight);
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
    close: requests.close,
    async 'bare request'(seconds) {
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
