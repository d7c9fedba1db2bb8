import { create } from '@bufbuild/protobuf';
import { day, hour, minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { PollEventsResponse } from '@hearth/proto/delivery/v1/subscriptions';
import { CallerKind } from '@hearth/proto/options';
import type { ResponseMetadata } from '@hearth/rpc';
import { failure } from '@hearth/testkit';
import { wakeUps } from '@hearth/webhooks';
import { afterAll, describe, expect, test } from '@jest/globals';
import { purgeWakeUps } from '../src/streams/db/wake-ups.ts';
import { ids, type KnownAi } from './stand-ins.ts';
import { callerOf, startStreams } from './start-streams.ts';

const home = await startStreams();
afterAll(() => home.stop());

const idsOf = ({ events }: PollEventsResponse) => events.map(({ eventId }) => eventId);
const namesOf = ({ events }: PollEventsResponse) => events.map(({ name }) => name);
const place = (to: string, rest = {}) => ({
  to,
  owner: to,
  box: 'inbox',
  requestKind: 'other',
  quiet: false,
  ...rest,
});
const ask = (...places: ReturnType<typeof place>[]) => ({
  case: 'approvalRequested' as const,
  value: { approval: 'apr_1', title: 'Pizza?', kind: 'ask', from: '@ada', places },
});
const settle = (asker: string, askerPerson = '', status = 'approved') => ({
  case: 'approvalSettled' as const,
  value: { approval: 'apr_1', asker, askerPerson, status },
});

describe('polling', () => {
  test('starts with a cursor and no events', async () => {
    const robin = home.newAi();
    await home.message(robin);
    const first = await home.poll(robin);
    expect(first).toMatchObject({ events: [], hasMore: false, truncated: false, nextPollMs: 30_000 });
    expect(first.cursor).toMatch(/^[\w-]{20}$/);
    const second = await home.poll(robin, { cursor: first.cursor });
    expect(second).toMatchObject({ events: [], cursor: first.cursor, hasMore: false, truncated: false });
  });

  test('records events only for AIs that polled within nine days', async () => {
    const [asking, silent] = [home.newAi(), home.newAi()];
    await home.poll(asking);
    await home.publishAll([home.messageTo(asking), home.messageTo(silent)]);
    const kept = await home.database.db.query(
      sql`select ai from delivery.wake_ups where ai = any(${[asking.id, silent.id]}::uuid[])`,
    );
    expect(kept).toEqual([{ ai: asking.id }]);
  });

  test('filters by name, with cursors that work for every name', async () => {
    const { ada, robin, cursor } = await home.ownedPoller();
    const message = await home.message(robin);
    const question = await home.announce(ask(place(ada.id)));
    const answer = await home.announce(settle(robin.id, ada.id));
    const named = async (name: string) => idsOf(await home.poll(robin, { cursor, name }));
    expect(await named('message.direct')).toEqual([message.id]);
    expect(await named('approval.requested')).toEqual([question.id]);
    expect(await named('ask.answered')).toEqual([answer.id]);
    expect(await named('meeting.booked')).toEqual([]);
    expect(idsOf(await home.poll(robin, { cursor }))).toEqual([message.id, question.id, answer.id]);
    const later = await home.poll(robin, { cursor, name: 'meeting.booked' });
    expect(idsOf(await home.poll(robin, { cursor: later.cursor }))).toEqual([]);
  });

  test('reads a long stream for a group in parts, and loses nothing', async () => {
    const robin = home.newAi();
    const group = ids.uuid();
    const next = await home.follow(robin);
    const wanted: string[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      const events = Array.from({ length: 900 }, (_, index) =>
        home.messageTo(robin, index === batch * 111 ? { groups: [group] } : {}),
      );
      wanted.push(events[batch * 111]!.id);
      await home.publishAll(events);
    }
    const found: string[] = [];
    let answer: PollEventsResponse;
    let polls = 0;
    do {
      answer = await next({ group: printId('grp', group) });
      found.push(...idsOf(answer));
      polls += 1;
    } while (answer.hasMore);
    expect(found).toEqual(wanted);
    expect(polls).toBe(3);
  });

  test('returns at most about 1 MiB at once, and loses nothing', async () => {
    const robin = home.newAi();
    let { cursor } = await home.poll(robin);
    await home.publishAll(Array.from({ length: 4 }, () => home.messageTo(robin)));
    await home.database.transaction((tx) =>
      tx.execute(sql`update delivery.wake_ups set data = jsonb_build_object('padding', repeat('x', 400000))
        where ai = ${robin.id}`),
    );
    const pages: number[] = [];
    for (let more = true; more; ) {
      const polled = await home.poll(robin, { cursor });
      pages.push(polled.events.length);
      cursor = polled.cursor;
      more = polled.hasMore;
    }
    expect(pages).toEqual([2, 2]);
  });

  test('leaves out events older than requested, and says so', async () => {
    const { robin, cursor } = await home.poller();
    await home.message(robin);
    home.clock.advance(2 * minute);
    const young = await home.message(robin);
    const answer = await home.poll(robin, { cursor, maxAgeMs: BigInt(minute) });
    expect([idsOf(answer), answer.truncated]).toEqual([[young.id], true]);
    const all = await home.poll(robin, { cursor, maxAgeMs: BigInt(hour) });
    expect([all.events.length, all.truncated]).toEqual([2, false]);
  });

  test('suggests a short pause while a group is active, and a long one when nothing happens', async () => {
    const robin = home.newAi();
    const next = await home.follow(robin);
    const pause = async () => (await next()).nextPollMs / second;
    expect(await pause()).toBe(30);
    await home.message(robin, { groups: [ids.uuid()] });
    expect(await pause()).toBe(5);
    home.clock.advance(10 * minute);
    expect(await pause()).toBe(30);
    home.clock.advance(day);
    expect(await pause()).toBe(300);
    await home.message(robin);
    expect(await pause()).toBe(30);
  });

  test('reads a forged cursor as a position in the same stream', async () => {
    const { robin, cursor } = await home.poller();
    const event = await home.message(robin);
    const forged = Buffer.from(cursor, 'base64url');
    forged.writeUIntBE(2 ** 47, 5, 6);
    const ahead = await home.poll(robin, { cursor: forged.toString('base64url') });
    expect(idsOf(ahead)).toEqual([]);
    const later = await home.message(robin);
    expect(idsOf(await home.poll(robin, { cursor: ahead.cursor }))).toEqual([later.id]);
    forged.writeUIntBE(0, 5, 6);
    expect(idsOf(await home.poll(robin, { cursor: forged.toString('base64url') }))).toEqual([
      event.id,
      later.id,
    ]);
  });
});

describe('events that wake an AI', () => {
  /** Two AIs of one person. */
  async function twoOfOne() {
    const ada = home.newPerson();
    const [robin, wren] = [home.newAi(ada), home.newAi(ada)];
    return { ada, robin, atRobin: await home.follow(robin), atWren: await home.follow(wren) };
  }

  test('nobody is woken by their own ask', async () => {
    const { ada, robin, atRobin, atWren } = await twoOfOne();
    await home.announce(ask(place(ada.id)), robin.id);
    expect(idsOf(await atRobin())).toEqual([]);
    expect(namesOf(await atWren())).toEqual(['approval.requested']);
  });

  test('an answer wakes the AI that asked, and the AIs of the person who did', async () => {
    const { ada, robin, atRobin, atWren } = await twoOfOne();
    await home.announce(settle(robin.id, ada.id));
    await home.announce(settle(ada.id, ada.id, 'expired'));
    await home.announce(settle(ada.id, ada.id, 'cancelled'));
    expect((await atRobin()).events).toMatchObject([
      { data: { status: 'approved' } },
      { data: { status: 'expired' } },
    ]);
    expect((await atWren()).events).toMatchObject([
      { data: { status: 'approved' } },
      { data: { status: 'expired' } },
    ]);
  });

  test('an AI without an owner is woken for its messages and answers, and for no ask', async () => {
    const robin = home.newAi();
    const next = await home.follow(robin);
    await home.announce(ask(place(robin.id)));
    await home.announce(settle(robin.id));
    await home.message(robin);
    expect(namesOf(await next())).toEqual(['ask.answered', 'message.direct']);
  });
});

describe('the polled AI', () => {
  const acting = (person: { id: string }, app = ids.uuid()) =>
    create(CallerSchema, { kind: CallerKind.PERSON, id: person.id, app });

  test('an app polls for the AIs of the person it acts for, by their ids', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const [robin, wren, gone] = [home.newAi(ada), home.newAi(ben), home.newAi(ada, { revoked: true })];
    const asking = (ai: { id: string }, cursor?: string) =>
      home.by(acting(ada)).pollEvents({ id: printId('ai', ai.id), ...(cursor !== undefined && { cursor }) });
    const { cursor } = await asking(robin);
    const event = await home.message(robin);
    expect(idsOf(await asking(robin, cursor))).toEqual([event.id]);
    // The same stream, read with its own key.
    expect(idsOf(await home.poll(robin, { cursor }))).toEqual([event.id]);
    for (const other of [wren, gone, { id: ids.uuid() }])
      expect(await failure(asking(other))).toBe('not_found not_found');
  });

  test.each(['me', 'x', '', 'per_01a1fcdade697946a90c0cb00e6981a6'])(
    'an app cannot poll %j for a person',
    async (id) => {
      await expect(home.by(acting(home.newPerson())).pollEvents({ id })).rejects.toMatchObject({
        kind: id === 'me' ? 'bad_request' : 'not_found',
      });
    },
  );

  test('an AI polls for itself only', async () => {
    const [robin, wren] = [home.newAi(), home.newAi()];
    const asking = (id: string) => home.by(callerOf(robin)).pollEvents({ id });
    await asking(printId('ai', robin.id));
    await asking(robin.address);
    for (const id of [printId('ai', wren.id), wren.address, 'wren'])
      expect(await failure(asking(id))).toBe('not_found not_found');
  });
});

describe('long polling', () => {
  async function wait(ai: KnownAi, request: { cursor?: string; wait?: number; name?: string }) {
    let metadata: ResponseMetadata | undefined;
    const answer = await home
      .by(callerOf(ai))
      .waitForEvent({ id: 'me', ...request }, { onMetadata: (said) => (metadata = said) });
    return { answer, topics: metadata?.waitTopics ?? [] };
  }

  test('waits only with a cursor, because a poll without one starts the stream', async () => {
    const robin = home.newAi();
    const first = await wait(robin, { wait: 50 });
    expect([first.answer.events, first.topics]).toEqual([[], []]);
    const { cursor } = first.answer;
    const topic = `events:${robin.id}`;
    expect((await wait(robin, { cursor, wait: 50 })).topics).toEqual([topic]);
    expect((await wait(robin, { cursor })).topics).toEqual([]);
    const event = await home.message(robin);
    const woken = await wait(robin, { cursor, wait: 50 });
    expect([idsOf(woken.answer), woken.topics]).toEqual([[event.id], []]);
    const named = await wait(robin, { cursor, wait: 50, name: 'ask.answered' });
    expect([idsOf(named.answer), named.topics]).toEqual([[], [topic]]);
  });

  test('ends when something is recorded', async () => {
    const robin = home.newAi();
    await home.poll(robin);
    const stream = home.client.hold();
    const woken: string[] = [];
    const watching = Promise.withResolvers<void>();
    const read = (async () => {
      for await (const answer of stream.answers) {
        if (answer.acknowledged === 1n) watching.resolve();
        woken.push(...answer.woken);
        if (woken.length > 0) return;
      }
    })();
    stream.write({ sequence: 1n, watch: [`events:${robin.id}`] });
    await watching.promise;
    await home.message(robin);
    await read;
    expect(woken).toEqual([`events:${robin.id}`]);
    stream.cancel();
  });

  test('an empty poll is cached until something is recorded', async () => {
    const robin = home.newAi();
    const metadata: ResponseMetadata[] = [];
    const asking = (cursor?: string) =>
      home
        .by(callerOf(robin))
        .pollEvents(
          { id: 'me', ...(cursor !== undefined && { cursor }) },
          { onMetadata: (said) => metadata.push(said) },
        );
    const { cursor } = await asking();
    expect(metadata.at(-1)).toMatchObject({ validMs: 20_000, validTopics: [`events:${robin.id}`] });
    await home.message(robin);
    await asking(cursor);
    expect(metadata.at(-1)).toMatchObject({ validMs: 0, validTopics: [] });
  });
});

test('the list of events equals the catalogue', async () => {
  const { events } = await home.wakeUps.listEvents({});
  expect(events.map(({ name }) => name)).toEqual(wakeUps.map(({ name }) => name));
  for (const [index, event] of events.entries()) {
    expect(event).toMatchObject({ delivery: ['webhook', 'poll'], description: wakeUps[index]!.description });
    expect(event.payloadSchema).toEqual(wakeUps[index]!.schema);
    expect(event.inputSchema).toEqual(wakeUps[index]!.inputSchema);
  }
});

describe('daily partitions', () => {
  test('are created ahead, and dropped after eight days', async () => {
    const own = await startStreams();
    try {
      const robin = own.newAi();
      await own.poll(robin);
      await own.message(robin);
      own.clock.advance(6 * day);
      await own.poll(robin);
      await own.message(robin);
      const partitions = async () =>
        (
          await own.database.db.query<{ at: Date; name: string }>(
            sql`select tableoid::regclass::text as name from delivery.wake_ups order by at`,
          )
        ).map(({ name }) => name);
      expect(await partitions()).toEqual(['delivery.wake_ups_20260301', 'delivery.wake_ups_other']);
      await purgeWakeUps(own.database, own.clock);
      expect(await partitions()).toEqual(['delivery.wake_ups_20260301', 'delivery.wake_ups_20260307']);
      own.clock.advance(3 * day);
      await Promise.all([purgeWakeUps(own.database, own.clock), purgeWakeUps(own.database, own.clock)]);
      expect(await partitions()).toEqual(['delivery.wake_ups_20260307']);
    } finally {
      await own.stop();
    }
  });
});
