import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { digestOf } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import { eventually, failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  ada,
  BOOKED,
  ben,
  book,
  booked,
  CANCELLED,
  first,
  firstAt,
  home,
  moment,
  PAST,
  robin,
  secondAt,
  told,
  toWren,
  WITHDRAWN,
  wren,
} from './fixture.ts';

describe('a meeting', () => {
  test('moves when the other side accepts, and frees its time', async () => {
    const meeting = await booked();
    const { id, offer } = meeting;
    const move = { id, startsAt: '2026-05-07T15:00', reason: 'A train' };
    const moved = await home.meetingsBy(wren).moveMeeting(move);
    expect(moved).toMatchObject({
      sequence: 0,
      startsAt: moment(firstAt!),
      move: { yours: true, reason: 'A train' },
    });
    expect(home.sent.at(-1)).toMatchObject({ to: robin.address, data: { meeting: id } });
    expect(home.sent.at(-1)?.text).toContain(`Answer at http://localhost:8080/meetings/${id}, or with`);
    expect(await failure(home.meetingsBy(wren).acceptMove({ id }))).toBe('forbidden no_permission');
    const accepted = await home.meetingsBy(ada).acceptMove({ id });
    expect(accepted).toMatchObject({
      sequence: 1,
      startsAt: moment('2026-05-07T13:00:00Z'),
      endsAt: moment('2026-05-07T14:00:00Z'),
      movedFrom: moment(firstAt!),
    });
    expect(accepted.move).toBeUndefined();
    expect((await told(id)).map(({ what, bySide }) => [what, bySide])).toEqual([
      ['booked', 1],
      ['move_proposed', 1],
      ['moved', 0],
    ]);
    expect(await book(wren, offer)).toMatchObject({ status: BOOKED });
    // It does not move to a taken time of the offer.
    await home.meetingsBy(robin).moveMeeting({ id, startsAt: first });
    expect(await failure(home.meetingsBy(wren).acceptMove({ id }))).toBe('bad_request slot_taken slot');
    expect((await home.meetingsBy(wren).declineMove({ id })).move).toBeUndefined();
    expect(await failure(home.meetingsBy(wren).acceptMove({ id }))).toBe('bad_request not_waiting');
    expect(await failure(home.meetingsBy(ben).moveMeeting(move))).toBe('not_found not_found');
  });

  test('moved and cancelled within seconds of its booking has a record of each, in order', async () => {
    const { id } = await booked();
    await home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T15:00' });
    await home.meetingsBy(ada).acceptMove({ id });
    await home.meetingsBy(ada).cancelMeeting({ id });
    home.clock.advance(6_000);
    for (let times = 0; times < 3; times += 1) await home.runJob('decisions: sign-meetings');
    const kept = [...home.world.signer.records.values()].filter(({ json }) => json.includes(id));
    const records = kept.map(({ signed }) => JSON.parse(signed));
    expect(records).toMatchObject([
      { status: 'booked', meeting: { sequence: 0, starts_at: firstAt } },
      { status: 'booked', meeting: { sequence: 1, moved_from: firstAt } },
      { status: 'cancelled', meeting: { sequence: 2 } },
    ]);
    const [one, two] = kept.map(({ signed }) => digestOf(signed));
    expect(records.map(({ prev }) => prev)).toEqual([undefined, one, two]);
    expect((await home.meetingsBy(wren).getMeeting({ id })).record).toEqual(records[2]);
  });

  test('moves to the time that the other side saw, or not at all', async () => {
    const { id } = await booked();
    await home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T15:00' });
    const saw = { id, startsAt: '2026-05-07T13:00:00Z', endsAt: '2026-05-07T16:00' };
    await home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T15:00', endsAt: '2026-05-07T20:00' });
    expect(await failure(home.meetingsBy(ada).acceptMove(saw))).toBe('bad_request ask_changed starts_at');
    await home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-08T03:00' });
    expect(await failure(home.meetingsBy(ada).acceptMove({ id, startsAt: saw.startsAt }))).toBe(
      'bad_request ask_changed starts_at',
    );
    expect(await failure(home.meetingsBy(ada).acceptMove({ id, startsAt: 'soon' }))).toMatch(
      /^bad_request bad_field starts_at/,
    );
    await home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T15:00' });
    expect(await home.meetingsBy(ada).acceptMove(saw)).toMatchObject({ sequence: 1 });
  });

  test('notifies again when a declined or replaced time is proposed again', async () => {
    const { id } = await booked();
    home.sent.length = 0;
    const propose = async (startsAt: string) => {
      home.clock.advance(1_000);
      await home.meetingsBy(robin).moveMeeting({ id, startsAt });
    };
    for (const time of ['2026-05-07T15:00', '2026-05-08T15:00', '2026-05-07T15:00']) await propose(time);
    await home.meetingsBy(wren).declineMove({ id });
    // The second is the same proposal, and is announced once.
    for (let again = 0; again < 2; again += 1) await propose('2026-05-07T15:00');
    expect(new Set(home.sent.map(({ requestId }) => requestId)).size).toBe(4);
    expect((await told(id)).filter(({ what }) => what === 'move_proposed')).toHaveLength(4);
  });

  test('drops a move that waits for a person who blocks its proposer', async () => {
    const meeting = await booked();
    const { id } = meeting;
    const blocked = (person: string, targetId: string) =>
      home.publish({ case: 'blocked', value: { person, targetId, target: '' } });
    const propose = () => home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T15:00' });
    const moveOf = async () => (await home.meetingsBy(wren).getMeeting({ id })).move?.yours;
    await propose();
    for (const [person, target] of [
      [wren.id, ada.id],
      [ben.id, wren.id],
      [ada.id, ben.id],
    ])
      await blocked(person!, target!);
    expect(await moveOf()).toBe(true);
    for (const _ of [1, 2]) await blocked(ada.id, wren.id);
    expect(await moveOf()).toBeUndefined();
    // Sent again after the block was lifted, it declines nothing proposed since.
    const at = timestampFromMs(home.clock.now());
    home.clock.advance(2_000);
    await home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T16:00' });
    await home.publish({ case: 'blocked', value: { person: ada.id, targetId: wren.id, target: '' } }, { at });
    expect(await moveOf()).toBe(true);
    await blocked(ada.id, wren.id);
    expect((await told(id)).map(({ what }) => what)).toEqual([
      'booked',
      'move_proposed',
      'move_declined',
      'move_proposed',
      'move_declined',
    ]);
    expect(await home.meetingsBy(wren).getMeeting({ id })).toMatchObject({ status: BOOKED, sequence: 0 });
    // A person's block covers their AIs.
    await home.meetingsBy(robin).moveMeeting({ id, startsAt: '2026-05-07T15:00' });
    await blocked(wren.id, ada.id);
    expect(await moveOf()).toBeUndefined();
  });

  test('is cancelled once by either side, which frees its time', async () => {
    const { id, offer } = await booked();
    for (let time = 0; time < 2; time += 1)
      expect(await home.meetingsBy(robin).cancelMeeting({ id, reason: 'Ill' })).toMatchObject({
        status: CANCELLED,
        sequence: 1,
        cancelledBy: robin.address,
        reason: 'Ill',
      });
    expect((await told(id)).map(({ what }) => what)).toEqual(['booked', 'cancelled']);
    expect(await failure(home.meetingsBy(wren).moveMeeting({ id, startsAt: '2026-05-07T15:00' }))).toBe(
      'bad_request already_settled',
    );
    expect((await home.meetingsBy(wren).getOffer({ id: offer })).booked).toBe(0);
    expect(await book(wren, offer)).toMatchObject({ status: BOOKED });
  });

  test('is cancelled when a side is gone', async () => {
    const { id } = await booked();
    await home.publish({ case: 'aiRevoked', value: { ai: wren.id, address: wren.address } });
    const off = await eventually(async () => {
      const seen = await home.meetingsBy(robin).getMeeting({ id });
      return seen.status === CANCELLED && seen;
    });
    expect(off.cancelledBy).toBeUndefined();
    expect(await told(id)).toMatchObject([{ what: 'booked' }, { what: 'cancelled', byItself: true }]);
  });

  test('is cancelled when the AI that offered it is gone, and the time is not offered again', async () => {
    const offer = await toWren();
    const { id } = await book(wren, offer.id);
    await home.publish({ case: 'aiRevoked', value: { ai: robin.id, address: robin.address } });
    await eventually(async () => {
      const { status } = await home.meetingsBy(wren).getOffer({ id: offer.id });
      return status === WITHDRAWN;
    });
    expect((await home.meetingsBy(wren).getMeeting({ id })).status).toBe(CANCELLED);
    expect(await failure(book(wren, offer.id))).toBe('bad_request not_waiting');
  });

  test('follows an AI that is claimed, comes back with it, and ends when its person is under 18', async () => {
    const { id, offer } = await booked();
    const asked = await toWren({ title: 'Another' });
    const own = await home.offer(wren, { to: ['anyone'] });
    const claimed = (owner: PersonFacts, by: Caller) => {
      const value = { ai: { id: by.id }, status: 'claimed', person: owner.id };
      return home.publish({ case: 'aiClaimed', value });
    };
    const seenBy = async (who: Parameters<typeof home.meetingsBy>[0]) => {
      const { listMeetings, listOffers } = home.meetingsBy(who);
      const [{ meetings }, { offers }] = await Promise.all([listMeetings({}), listOffers({})]);
      return [meetings.map((meeting) => meeting.id), offers.map((one) => one.id).toSorted()];
    };
    const all = [[id], [offer, asked.id, own.id].toSorted()];
    expect(await seenBy(wren)).toEqual(all);
    const wrenOfBen = { ...wren, person: ben.id };
    for (const _ of [1, 2]) await claimed(ben, wren);
    for (const who of [ben, wrenOfBen]) expect(await seenBy(who)).toEqual(all);
    expect(await home.meetingsBy(wrenOfBen).moveMeeting({ id, startsAt: '2026-05-06T10:00' })).toMatchObject({
      offered: false,
      move: { yours: true },
    });
    const byBen = await home.offer(
      { ...wrenOfBen, address: '@ben.ai-wren', aiStatus: 1 },
      { to: ['anyone'] },
    );
    expect(byBen).toMatchObject({ by: '@ben.ai-wren', nameVerified: true });
    const free = { id: wren.id, address: wren.address, name: wren.name };
    for (const _ of [1, 2]) await home.publish({ case: 'aiUnclaimed', value: { ai: free, owner: ben.id } });
    expect(await seenBy(ben)).toEqual([[], []]);
    // It has no owner, and is shown so.
    const released = await home.meetingsBy(robin).getOffer({ id: byBen.id });
    expect(released).toMatchObject({ by: wren.address, byName: wren.name, nameVerified: false });
    await home.meetingsBy(wren).withdrawOffer({ id: byBen.id });
    expect(await seenBy(wren)).toEqual([all[0], [...all[1]!, byBen.id].toSorted()]);

    const { child } = home.newFamily({ ageBand: AgeBand.CHILD });
    await claimed(child, wren);
    expect(await seenBy({ ...wren, person: child.id, minor: true })).toEqual([[], []]);
    const off = await home.meetingsBy(robin).getMeeting({ id });
    expect([off.status, off.cancelledBy]).toEqual([CANCELLED, undefined]);
    expect((await home.meetingsBy(robin).getOffer({ id: own.id })).status).toBe(WITHDRAWN);
  });

  test('belongs to the current owner of its AI, in any order of claims, with repeats', async () => {
    const { id, offer } = await booked();
    const own = await home.offer(wren, { to: ['anyone'] });
    const owners = [ada, ben].map(() => home.newPerson());
    const at = Array.from({ length: 3 }, () => {
      home.clock.advance(1_000);
      return timestampFromMs(home.clock.now());
    });
    const ai = { id: wren.id };
    const claimed = (nth: number, time: Timestamp | undefined) =>
      home.publish(
        { case: 'aiClaimed', value: { ai, status: 'claimed', person: owners[nth]!.id } },
        { at: time! },
      );
    const unclaimed = () =>
      home.publish({ case: 'aiUnclaimed', value: { ai, owner: owners[0]!.id } }, { at: at[1]! });
    const seenBy = async () =>
      await Promise.all(
        [wren, ...owners].map(async (who) => {
          const { listMeetings, listOffers } = home.meetingsBy(who);
          const [{ meetings }, { offers }] = await Promise.all([listMeetings({}), listOffers({})]);
          return [...meetings, ...offers].map((one) => one.id).toSorted();
        }),
      );
    const all = [id, offer, own.id].toSorted();

    await claimed(0, at[0]);
    expect(await seenBy()).toEqual([[], all, []]);
    await unclaimed();
    await claimed(0, at[0]);
    expect(await seenBy()).toEqual([all, [], []]);
    await claimed(1, at[2]);
    for (const again of [unclaimed, () => claimed(0, at[0]), () => claimed(1, at[2])]) {
      await again();
      expect(await seenBy()).toEqual([[], [], all]);
    }
  });

  test('belongs to the newest owner when the end of the earlier claim arrives last', async () => {
    const { id } = await booked();
    const [one, other] = [home.newPerson(), home.newPerson()];
    const ai = { id: wren.id };
    const at = (second: number) => ({ at: timestampFromMs(home.clock.now() + second * 1_000) });
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: one.id } }, at(1));
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: other.id } }, at(3));
    await home.publish({ case: 'aiUnclaimed', value: { ai, owner: one.id } }, at(2));
    const listed = async (who: PersonFacts) =>
      (await home.meetingsBy(who).listMeetings({})).meetings.map((seen) => seen.id);
    expect([await listed(one), await listed(other)]).toEqual([[], [id]]);
  });

  test('is not ended by an older claim for a person under 18', async () => {
    const { id } = await booked();
    const { child } = home.newFamily({ ageBand: AgeBand.CHILD });
    const ai = { id: wren.id };
    const at = (second: number) => ({ at: timestampFromMs(home.clock.now() + second * 1_000) });
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: ben.id } }, at(2));
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: child.id } }, at(1));
    expect((await home.meetingsBy(ben).getMeeting({ id })).status).toBe(BOOKED);
  });

  test('forgets its owner when their account is deleted', async () => {
    const ai = { id: wren.id };
    const owner = home.newPerson();
    const kept = () =>
      home.database.db.query({ text: 'select person from decisions.hands where ai = $1', values: [wren.id] });
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: owner.id } });
    expect(await kept()).toEqual([{ person: owner.id }]);
    await home.publish({ case: 'accountDeleted', value: { deleted: [owner.id], handovers: [] } });
    expect(await kept()).toEqual([]);
  });

  test('is listed by its start, and is past afterwards', async () => {
    const offer = await toWren({ times: 2 });
    const [later, earlier] = [await book(wren, offer.id, '2026-05-05T10:00'), await book(wren, offer.id)];
    const list = async (fields: object) =>
      (await home.meetingsBy(wren).listMeetings(fields)).meetings.map(({ id }) => id);
    expect(await list({})).toEqual([later.id, earlier.id]);
    expect(await list({ since: moment(secondAt!) })).toEqual([later.id]);
    expect(await list({ until: moment(secondAt!), status: BOOKED })).toEqual([earlier.id]);
    const page = await home.meetingsBy(wren).listMeetings({ limit: 1 });
    expect(await list({ limit: 1, cursor: page.nextCursor ?? '' })).toEqual([earlier.id]);
    expect(await list({ status: PAST })).toEqual([]);
  });
});
