import { toBinary } from '@bufbuild/protobuf';
import { type Database, openDatabase, sql } from '@hearth/db';
import { createCommit } from '@hearth/outbox';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { onWakeUp } from '../src/streams/consumers/on-wake-up.ts';
import { subscribers } from '../src/subscriptions/module.ts';
import { startStreams } from './start-streams.ts';

const home = await startStreams();
afterAll(() => home.stop());

const received = (events: readonly Event[]): ReceivedEvent[] =>
  events.map((event) => ({ event, bytes: toBinary(EventSchema, event) }));

/** Handles events as one process would. @param woken receives the topics woken after the commit */
function record(
  events: readonly Event[],
  database: Pick<Database, 'db' | 'transaction' | 'statement'> = home.database,
  woken = (_topics: readonly string[]) => {},
): Promise<void> {
  const outbox = { row: fail, insert: fail, committed: fail, wake: woken };
  const bus = { signal: fail, onSignal: fail, heard: fail, mayConsume: fail };
  const commit = createCommit({ database, outbox, bus, ids: { uuid: fail } as never });
  const context = { clock: home.clock, commit, database, outbound: { poke: () => {} }, subscribers };
  return onWakeUp(context as never)(received(events));
}

function fail(): never {
  throw new Error('nothing is announced of a wake-up');
}

interface Numbered {
  ai: string;
  numbers: number[];
  last: number;
}

/** Returns the numbers in the streams of these AIs; each must be used exactly once. */
async function numbers(ais: readonly { id: string }[]) {
  return await home.database.db.query<Numbered>(sql`
      select s.ai, s.last_number as last,
        coalesce((select array_agg(w.number order by w.number) from delivery.wake_ups w where w.ai = s.ai), '{}') as numbers
      from delivery.streams s where s.ai = any(${ais.map(({ id }) => id)}::uuid[]) order by s.ai`);
}

test('two replicas that receive the same event record it once, in one order, without a gap', async () => {
  const ada = home.newPerson();
  const ais = Array.from({ length: 5 }, () => home.newAi(ada));
  const follows = await Promise.all(ais.map((ai) => home.follow(ai)));
  const other = openDatabase({ url: home.databaseUrl, clock: home.clock });
  try {
    const sent: Event[] = [];
    for (let round = 0; round < 10; round += 1) {
      const events = ais.flatMap((ai) => [home.messageTo(ai), home.messageTo(ai)]);
      sent.push(...events);
      const reversed = [...events].reverse();
      await Promise.all([record(events), record(reversed, other), record(events.slice(3))]);
    }
    for (const [index, next] of follows.entries()) {
      const ids = sent
        .filter(({ data }) => (data.value as { to: string }).to === ais[index]!.id)
        .map(({ id }) => id);
      const found = (await next()).events.map(({ eventId }) => eventId);
      expect([...found].sort()).toEqual([...ids].sort());
    }
    for (const { last, numbers: given } of await numbers(ais))
      expect(given).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  } finally {
    await other.close();
  }
});

test('a process that dies before or after the commit leaves nothing undone and repeats nothing', async () => {
  const ada = home.newPerson();
  const robin = home.newAi(ada);
  const next = await home.follow(robin);
  const event = home.messageTo(robin);
  const dying = () => {
    throw new Error('killed');
  };
  await expect(record([event], home.database, dying)).rejects.toThrow('killed');
  const told: string[][] = [];
  await record([event], home.database, (topics) => {
    told.push(topics.map((topic) => topic.replace('events:', '')));
  });
  expect(told).toEqual([[robin.id]]);
  expect((await next()).events.map(({ eventId }) => eventId)).toEqual([event.id]);

  const later = home.messageTo(robin);
  const transaction: Database['transaction'] = (work) =>
    home.database.transaction(async (tx) => {
      await work(tx);
      return dying();
    });
  await expect(record([later], { ...home.database, transaction })).rejects.toThrow('killed');
  expect((await next()).events).toEqual([]);
  await record([later]);
  expect((await next()).events.map(({ eventId }) => eventId)).toEqual([later.id]);
  const [{ last, numbers: given }] = (await numbers([robin])) as [Numbered];
  expect(given).toEqual(Array.from({ length: last }, (_, index) => index + 1));
});

/** Steps in any order: recorders receive batches, some repeated, and a poller asks for pages. */
type Step = { record: [number, number] } | { again: number } | { poll: number };

const steps = fc.array(
  fc.oneof(
    fc.record({ record: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })) }),
    fc.record({ again: fc.nat({ max: 3 }) }),
    fc.record({ poll: fc.integer({ min: 1, max: 5 }) }),
  ) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 12 },
);

test('a poller gets each event once, in stream order, however recordings and polls interleave', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (plan, filtered) => {
      const ada = home.newPerson();
      const [robin, wren] = [home.newAi(ada), home.newAi(ada)];
      const name = filtered ? { name: 'message.direct' } : {};
      const next = await home.follow(robin);
      await home.poll(wren);
      const batches: Event[][] = [];
      const got: string[] = [];
      const working: Promise<unknown>[] = [];
      const polls = { turn: Promise.resolve() };
      const pollOnce = (limit: number) => {
        // One poller polls in sequence, while others record.
        polls.turn = polls.turn.then(async () => {
          const answer = await next({ limit, ...name });
          expect(answer.truncated).toBe(false);
          got.push(...answer.events.map(({ eventId }) => eventId));
        });
        working.push(polls.turn);
      };
      for (const step of plan) {
        if ('poll' in step) pollOnce(step.poll);
        else {
          const [mine, others] = 'record' in step ? step.record : [0, 0];
          const fresh = [
            ...Array.from({ length: mine }, () => home.messageTo(robin)),
            ...Array.from({ length: others }, () => home.messageTo(wren)),
          ];
          if ('record' in step) batches.push(fresh);
          const batch = 'again' in step ? (batches.at(-1 - step.again) ?? []) : fresh;
          working.push(record(batch));
        }
        // Usually they do not wait for each other.
        if (plan.length % 3 === 0) await Promise.all(working);
      }
      await Promise.all(working);
      let answer = await next(name);
      got.push(...answer.events.map(({ eventId }) => eventId));
      while (answer.hasMore) {
        answer = await next(name);
        got.push(...answer.events.map(({ eventId }) => eventId));
      }
      const rows = await home.database.db.query<{ id: string }>(
        sql`select 'evt_' || replace(id::text, '-', '') as id from delivery.wake_ups where ai = ${robin.id} order by number`,
      );
      const sent = batches.flat().filter(({ data }) => (data.value as { to: string }).to === robin.id);
      expect(got).toEqual(rows.map(({ id }) => id));
      expect([...got].sort()).toEqual(sent.map(({ id }) => id).sort());
    }),
    { numRuns: 40 },
  );
});
