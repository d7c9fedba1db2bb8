import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, hour, minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import type { PollEventsResponse } from '@hearth/proto/delivery/v1/subscriptions';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { type EventInit, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { KnownAi, KnownPerson } from './stand-ins.ts';
import { startStreams } from './start-streams.ts';

const home = await startStreams();
afterAll(() => home.stop());

const idsOf = ({ events }: PollEventsResponse) => events.map(({ eventId }) => eventId);
const asked = ({ id }: KnownPerson) => ({
  case: 'approvalRequested' as const,
  value: {
    approval: 'apr_1',
    places: [{ to: id, owner: id, box: 'inbox', requestKind: 'other', quiet: false }],
  },
});
const snapshot = ({ id }: KnownAi) => ({ ai: { id } });
/** Counts an AI's recorded wake-ups, readable or not. */
const recorded = async (ai: KnownAi) =>
  (await home.database.db.query(sql`select 1 from delivery.wake_ups where ai = ${ai.id}`)).length;

/** Earlier wake-ups are not readable, and the next poll says so once. */
async function expectFreshStart(ai: KnownAi, cursor: string) {
  const answer = await home.poll(ai, { cursor });
  expect([idsOf(answer), answer.truncated]).toEqual([[], true]);
  const event = await home.message(ai);
  const next = await home.poll(ai, { cursor: answer.cursor });
  expect([idsOf(next), next.truncated]).toEqual([[event.id], false]);
}

describe('an AI that changes owners', () => {
  test('can no longer read earlier events once the change arrives', async () => {
    const { ada, ben, robin, cursor } = await home.ownedPoller();
    await home.announce(asked(ada));
    robin.owner = ben.id;
    await home.announce({ case: 'aiClaimed', value: snapshot(robin) });
    // An ask to the former owner does not concern it, even before it polls.
    await home.announce(asked(ada));
    expect(await recorded(robin)).toBe(1);
    await expectFreshStart(robin, cursor);
    await home.announce(asked(ben));
    expect((await home.poll(robin, { cursor })).events.map(({ name }) => name)).toEqual([
      'message.direct',
      'approval.requested',
    ]);
  });

  test('can no longer read them before the change arrives, when a poll knows it first', async () => {
    const { ada, ben, robin, cursor } = await home.ownedPoller();
    await home.announce(asked(ada));
    robin.owner = ben.id;
    await expectFreshStart(robin, cursor);
  });

  test('gets a retryable error for a poll under the former owner, and nothing else', async () => {
    const { ada, ben, robin, cursor } = await home.ownedPoller();
    await home.announce(asked(ada));
    const before = { ...robin };
    robin.owner = ben.id;
    await home.announce({ case: 'aiClaimed', value: snapshot(robin) });
    await home.announce(asked(ben));
    expect(await failure(home.poll(before, { cursor }))).toBe('unavailable unavailable');
  });

  test('continues its stream with events for the person when it is first claimed', async () => {
    const ada = home.newPerson();
    const { robin, cursor } = await home.poller();
    const before = await home.message(robin);
    await home.announce(asked(ada));
    robin.owner = ada.id;
    await home.announce({ case: 'aiClaimed', value: snapshot(robin) });
    const after = await home.announce(asked(ada));
    const answer = await home.poll(robin, { cursor });
    expect([idsOf(answer), answer.truncated]).toEqual([[before.id, after.id], false]);
  });
});

describe('an AI that may not read', () => {
  test('because it is switched off: nothing is recorded or answered', async () => {
    const { ada, robin, cursor } = await home.ownedPoller();
    await home.message(robin);
    robin.revoked = true;
    await home.announce({ case: 'aiRevoked', value: { ai: robin.id } });
    await home.message(robin);
    await home.announce(asked(ada));
    expect(await recorded(robin)).toBe(1);
    expect(await failure(home.poll(robin, { cursor }))).toBe('forbidden no_permission');
  });

  test('without the permission read: nothing is recorded, and the gap is reported once it returns', async () => {
    const robin = home.newAi(home.newPerson());
    const next = await home.follow(robin);
    const before = await home.message(robin);
    robin.permissions = [Scope.MESSAGE];
    await home.announce({ case: 'aiChanged', value: { ai: robin.id, changed: ['permissions'] } });
    await home.message(robin);
    expect(await recorded(robin)).toBe(1);
    await expect(next()).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringMatching('permission read'),
    });
    robin.permissions = [Scope.READ];
    await home.announce({ case: 'aiChanged', value: { ai: robin.id, changed: ['permissions'] } });
    const after = await home.message(robin);
    const answer = await next();
    expect([idsOf(answer), answer.truncated]).toEqual([[before.id, after.id], true]);
    expect((await next()).truncated).toBe(false);
  });

  test('of a person under 18: reads only while their guardian allows AIs', async () => {
    const child = home.newPerson({ ageBand: AgeBand.TEEN13, aiShare: false });
    const robin = home.newAi(child);
    const changed = () =>
      home.announce({
        case: 'personChanged',
        value: { person: { id: child.id, minor: true }, changed: ['ai_share'] },
      });
    expect(await failure(home.poll(robin))).toBe('forbidden no_permission');
    await home.announce(asked(child));
    await home.message(robin);
    expect(await recorded(robin)).toBe(0);
    child.aiShare = true;
    await changed();
    const { cursor } = await home.poll(robin);
    const event = await home.announce(asked(child));
    expect(idsOf(await home.poll(robin, { cursor }))).toEqual([event.id]);
    child.aiShare = false;
    await changed();
    await home.announce(asked(child));
    await home.message(robin);
    expect(await recorded(robin)).toBe(1);
    expect(await failure(home.poll(robin, { cursor }))).toBe('forbidden no_permission');
  });

  test('of a deleted account', async () => {
    const ada = home.newPerson();
    const robin = home.newAi(ada);
    await home.poll(robin);
    home.world.people.splice(home.world.people.indexOf(ada), 1);
    await home.announce({ case: 'accountDeleted', value: { deleted: [ada.id] } });
    await home.announce(asked(ada));
    await home.message(robin);
    expect(await recorded(robin)).toBe(0);
  });
});

describe('an event from before is not recorded when it is delivered again', () => {
  const offsets = [-hour, -2 * minute, -30 * second, 30 * second];
  /** Clocks may differ by a minute. */
  const recordedOffsets = offsets.slice(2);
  const message = ({ id: to }: KnownAi) => ({
    case: 'messageSent' as const,
    value: { messageId: 'msg_1', thread: 'thr_1', from: '@ada.ai-helper', box: 'inbox', to },
  });

  /** Delivers an event as of several times around this one. Returns the offsets at which the AI's stream records it. */
  async function deliverAround(time: number, ai: KnownAi, data: EventInit): Promise<number[]> {
    const events = offsets.map((offset) => home.event(data, { at: timestampFromMs(time + offset) }));
    await home.publishAll(events);
    const rows = await home.database.db.query<{ id: string }>(
      sql`select id from delivery.wake_ups where ai = ${ai.id}`,
    );
    const found = new Set(rows.map(({ id }) => printId('evt', id)));
    return offsets.filter((_, index) => found.has(events[index]!.id));
  }

  /** Nothing from before that time is recorded, whether it concerns the AI or its owner. */
  async function expectRecordedFrom(time: number, ai: KnownAi, owner: KnownPerson) {
    for (const data of [asked(owner), message(ai)])
      expect(await deliverAround(time, ai, data)).toEqual(recordedOffsets);
  }

  test('after a pause', async () => {
    const { ada, robin, cursor } = await home.ownedPoller();
    home.clock.advance(10 * day);
    await home.poll(robin, { cursor });
    await expectRecordedFrom(home.clock.now(), robin, ada);
  });

  test('under another owner: the claim counts, not when it was heard', async () => {
    const { ben, robin } = await home.ownedPoller();
    home.clock.advance(day);
    const time = home.clock.now();
    const claimed = home.event({ case: 'aiClaimed', value: snapshot(robin) });
    robin.owner = ben.id;
    home.clock.advance(hour);
    const ofAnother = home.event({ case: 'aiClaimed', value: snapshot(home.newAi(ben)) });
    await home.publishAll([claimed, ofAnother]);
    await expectRecordedFrom(time, robin, ben);
  });

  test('under another owner whose AI polls before the claim is heard', async () => {
    const { ben, robin, cursor } = await home.ownedPoller();
    const claimed = home.event({ case: 'aiClaimed', value: snapshot(robin) });
    robin.owner = ben.id;
    home.clock.advance(day);
    const time = home.clock.now();
    await home.poll(robin, { cursor });
    home.clock.advance(hour);
    await home.publishAll([claimed]);
    await expectRecordedFrom(time, robin, ben);
  });

  test("under a first owner, if it is the owner's; the AI keeps its own", async () => {
    const ada = home.newPerson();
    const { robin } = await home.poller();
    home.clock.advance(day);
    const time = home.clock.now();
    robin.owner = ada.id;
    await home.announce({ case: 'aiClaimed', value: snapshot(robin) });
    expect(await deliverAround(time, robin, asked(ada))).toEqual(recordedOffsets);
    expect(await deliverAround(time, robin, message(robin))).toEqual(offsets);
  });

  test.each([
    ['begins', []],
    ['continues', [Scope.READ]],
  ])('in a stream that %s with the permission to read', async (_, before) => {
    const ada = home.newPerson();
    const robin = home.newAi(ada, { permissions: before });
    const changed = () =>
      home.event({ case: 'aiChanged', value: { ai: robin.id, changed: ['permissions'] } });
    await Promise.allSettled([home.poll(robin)]);
    robin.permissions = [];
    await home.publishAll([changed()]);
    home.clock.advance(day);
    const time = home.clock.now();
    const granted = changed();
    robin.permissions = [Scope.READ];
    home.clock.advance(hour);
    await home.publishAll([granted]);
    await expectRecordedFrom(time, robin, ada);
  });
});

describe('time', () => {
  test('a weekly poll misses nothing, and after eight days a poll reports the gap', async () => {
    const own = await startStreams();
    try {
      const robin = own.newAi();
      const first = await own.poll(robin);
      const early = await own.message(robin);
      own.clock.advance(7 * day);
      const late = await own.message(robin);
      const weekly = await own.poll(robin, { cursor: first.cursor });
      expect([idsOf(weekly), weekly.truncated]).toEqual([[early.id, late.id], false]);
      own.clock.advance(8 * day);
      const missed = await own.poll(robin, { cursor: first.cursor });
      expect([idsOf(missed), missed.truncated]).toEqual([[], true]);
      // Everything after this cursor is there: nothing.
      expect(await own.poll(robin, { cursor: weekly.cursor })).toMatchObject({
        events: [],
        truncated: false,
      });
      own.clock.advance(9 * day);
      await own.message(robin);
      const paused = await own.poll(robin, { cursor: weekly.cursor });
      expect([idsOf(paused), paused.truncated]).toEqual([[], true]);
      const again = await own.message(robin);
      const after = await own.poll(robin, { cursor: paused.cursor });
      expect([idsOf(after), after.truncated]).toEqual([[again.id], false]);
    } finally {
      await own.stop();
    }
  });
});
