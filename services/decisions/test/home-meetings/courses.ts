import { printId } from '@hearth/ids';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import { asPerson, failure, follows, ids } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  BOOKED,
  becomes,
  book,
  booked,
  CANCELLED,
  carried,
  carry,
  first,
  firstAt,
  full,
  here,
  moment,
  OPEN,
  offer,
  refOf,
  robin,
  second,
  secondAt,
  signed,
  stands,
  there,
  told,
  wren,
} from './fixture.ts';

describe('a meeting with another home', () => {
  test('moves when the other side accepts, whichever side proposes it', async () => {
    const title = `Roof ${ids.uuid()}`;
    const meeting = await booked(wren, { title });
    const proposed = await carried(
      there.meetingsBy(wren).moveMeeting({ id: meeting.there, startsAt: second, reason: 'Ill' }),
    );
    expect(proposed).toMatchObject({ status: BOOKED, move: { startsAt: moment(secondAt), yours: true } });
    expect(await here.meetingsBy(robin).getMeeting({ id: meeting.here })).toMatchObject({
      move: { startsAt: moment(secondAt), yours: false, reason: 'Ill' },
    });
    expect(here.sent.at(-1)).toMatchObject({ to: robin.address, data: { meeting: meeting.here } });
    expect(await failure(carried(there.meetingsBy(wren).acceptMove({ id: meeting.there })))).toBe(
      'forbidden no_permission',
    );
    await here.meetingsBy(robin).acceptMove({ id: meeting.here });
    await stands(wren, meeting.there, {
      startsAt: moment(secondAt),
      movedFrom: moment(firstAt),
      sequence: 1,
    });
    await signed();
    expect((await here.meetingsBy(robin).getMeeting({ id: meeting.here })).record).toMatchObject({
      meeting: { sequence: 1 },
      acts: [{ from: full(wren, there), body: { operation: 'move_meeting', on: meeting.there } }],
    });

    here.sent.length = 0;
    await here.meetingsBy(robin).moveMeeting({ id: meeting.here, startsAt: first });
    expect(here.sent).toMatchObject([{ to: full(wren, there), data: { meeting: meeting.there } }]);
    await stands(wren, meeting.there, { move: { startsAt: moment(firstAt), yours: false } });
    const moved = await carried(there.meetingsBy(wren).acceptMove({ id: meeting.there }));
    expect(moved).toMatchObject({ startsAt: moment(firstAt), sequence: 2 });
    await signed();
    const { record } = await here.meetingsBy(robin).getMeeting({ id: meeting.here });
    expect(record).toMatchObject({
      meeting: { sequence: 2, booked_by: { item: { body: { operation: 'book_meeting' } } } },
      acts: [{ body: { operation: 'accept_move', request: { starts_at: firstAt } } }],
    });
    await stands(wren, meeting.there, { record });
    expect((await told(there, title)).map(({ what, bySide }) => [what, bySide])).toEqual([
      ['booked', 1],
      ['move_proposed', 1],
      ['moved', 0],
      ['move_proposed', 0],
      ['moved', 1],
    ]);
  });

  test('keeps its time when a side declines a move or blocks the other side', async () => {
    const meeting = await booked();
    await here.meetingsBy(robin).moveMeeting({ id: meeting.here, startsAt: second });
    await stands(wren, meeting.there, { move: { yours: false } });
    const kept = await carried(there.meetingsBy(wren).declineMove({ id: meeting.there }));
    expect(kept).toMatchObject({ startsAt: moment(firstAt), sequence: 0 });
    expect(kept.move).toBeUndefined();

    await here.meetingsBy(robin).moveMeeting({ id: meeting.here, startsAt: second });
    await stands(wren, meeting.there, { move: { yours: false } });
    const block = { person: wren.id, target: `@${here.name}`, targetId: '' };
    await there.publish({ case: 'blocked', value: block });
    await follows(async () => {
      await carry(there, here);
      expect((await here.meetingsBy(robin).getMeeting({ id: meeting.here })).move).toBeUndefined();
    });
  });

  test('keeps its time, and shows the reason, when the proposed move is undeliverable', async () => {
    const title = `Roof ${ids.uuid()}`;
    const meeting = await booked(wren, { title });
    const settled = (id: string, delivered: boolean) =>
      here.publish({
        case: 'homeItemSettled',
        value: { service: 'messages', type: HomeItemType.MESSAGE, id, home: there.name, delivered },
      });
    const propose = async (startsAt: string) => {
      const { move } = await here.meetingsBy(robin).moveMeeting({ id: meeting.here, startsAt });
      return { move, message: here.sent.at(-1)!.id };
    };
    const earlier = await propose(second);
    await settled(earlier.message, true);
    const later = await propose('2026-05-06T10:00');
    // The previous time is no longer proposed.
    await settled(earlier.message, false);
    await settled(printId('msg', ids.uuid()), false);
    expect((await here.meetingsBy(robin).getMeeting({ id: meeting.here })).move).toEqual(later.move);
    await stands(wren, meeting.there, { move: { yours: false } });

    const words = {
      status: BOOKED,
      sequence: 0,
      startsAt: moment(firstAt),
      reason: expect.stringContaining('not be told'),
    };
    for (let time = 0; time < 2; time += 1) await settled(later.message, false);
    await follows(async () => {
      const seen = await here.meetingsBy(robin).getMeeting({ id: meeting.here });
      expect(seen).toMatchObject(words);
      expect(seen.move).toBeUndefined();
    });
    expect((await stands(wren, meeting.there, words)).move).toBeUndefined();
    const declined = { what: 'move_declined', byItself: true, reason: words.reason };
    for (const home of [here, there]) {
      const all = await told(home, title);
      expect(all.at(-1)).toMatchObject(declined);
      expect(all.filter(({ what }) => what === 'move_declined')).toHaveLength(1);
    }

    // Sent again after a crash, messages says so at once.
    here.taken.set(full(wren, there), () => Delivery.UNDELIVERABLE);
    await propose(second);
    const ended = await here.meetingsBy(robin).getMeeting({ id: meeting.here });
    expect([ended.move, ended.reason]).toEqual([undefined, words.reason]);
    here.taken.clear();
    await propose(second);
    const again = await stands(wren, meeting.there, { move: { yours: false } });
    expect(again.reason).toBeUndefined();
  });

  test('is cancelled by either side, which frees its time', async () => {
    const title = `Roof ${ids.uuid()}`;
    const third = '2026-05-06T10:00';
    const byWren = await booked(wren, { title });
    const byRobin = await booked(wren, { title, slots: [{ startsAt: third }], times: 1 }, third);
    const off = await carried(there.meetingsBy(wren).cancelMeeting({ id: byWren.there, reason: 'Ill' }));
    expect(off).toMatchObject({ status: CANCELLED, cancelledBy: wren.address, reason: 'Ill', sequence: 1 });
    expect(await carried(there.meetingsBy(wren).cancelMeeting({ id: byWren.there }))).toMatchObject({
      status: CANCELLED,
      reason: 'Ill',
    });
    expect(await here.meetingsBy(robin).getMeeting({ id: byWren.here })).toMatchObject({
      status: CANCELLED,
      cancelledBy: full(wren, there),
    });
    await becomes(wren, byWren.offer, { booked: 0, slots: [{ free: true }, { free: true }] });
    await signed();
    expect((await here.meetingsBy(robin).getMeeting({ id: byWren.here })).record).toMatchObject({
      status: 'cancelled',
      acts: [{ body: { operation: 'cancel_meeting', on: byWren.there } }],
    });

    await here.meetingsBy(robin).cancelMeeting({ id: byRobin.here });
    await stands(wren, byRobin.there, { status: CANCELLED, cancelledBy: full(robin, here) });
    expect((await told(there, title)).at(-1)).toMatchObject({ what: 'cancelled', bySide: 0 });
    expect(await failure(carried(there.meetingsBy(wren).acceptMove({ id: byRobin.there })))).toBe(
      'bad_request already_settled',
    );
  });

  test('is cancelled when the AI of either side is gone', async () => {
    const [ofWren, ofRobin] = [
      await booked(),
      await booked(there.world.asAi(there.world.newAi()), {}, second),
    ];
    await there.publish({ case: 'aiRevoked', value: { ai: wren.id } });
    await follows(async () => {
      await carry(there, here);
      const seen = await here.meetingsBy(robin).getMeeting({ id: ofWren.here });
      expect(seen).toMatchObject({ status: CANCELLED });
      expect(seen.cancelledBy).toBeUndefined();
    });
    await here.publish({ case: 'aiRevoked', value: { ai: robin.id } });
    await follows(async () => {
      await carry(here, there);
      const items = await there.events('decisions', 'meetingChanged');
      expect(items.at(-1)).toMatchObject({
        data: { value: { reference: ofRobin.there, what: 'cancelled', byItself: true } },
      });
    });
  });

  test('follows an AI that is claimed at its home', async () => {
    const { there: id, offer: offered } = await booked();
    const ben = there.newPerson();
    expect(await failure(there.meetingsBy(ben).getMeeting({ id }))).toBe('not_found not_found');
    await there.publish({
      case: 'aiClaimed',
      value: { ai: { id: wren.id }, status: 'claimed', person: ben.id },
    });
    await follows(async () => {
      expect(await there.meetingsBy(ben).getMeeting({ id })).toMatchObject({ status: BOOKED });
      expect(await there.meetingsBy(ben).getOffer({ id: refOf(offered) })).toMatchObject({ booked: 1 });
    });
    const off = await carried(there.meetingsBy(ben).cancelMeeting({ id }));
    expect(off).toMatchObject({ status: CANCELLED });
  });

  test('is mailed only to people of the sending home', async () => {
    const email = 'ben@example.org';
    const ben = there.newPerson({ app: '', email });
    there.acquainted.add(ben.id);
    const { id } = await offer({}, [ben]);
    await becomes(ben, id, { status: OPEN });
    const meeting = await book(asPerson(ben), id);
    await stands(ben, meeting.id, { status: BOOKED });
    const { meeting: uuid } = (await there.events('decisions', 'meetingChanged')).at(-1)!.data.value;
    const mails = async () => {
      const sends = [0, 1].map((part) => ({ kind: 'meeting_mail', id: uuid, part }));
      return (await there.sends.prepareSends({ sends })).sends.map(({ content }) => content);
    };
    const [none, mail] = await mails();
    expect(none?.case).toBeUndefined();
    expect(mail).toMatchObject({
      value: {
        to: email,
        text: expect.stringContaining(`/meetings/${encodeURIComponent(meeting.id)}`),
        calendar: expect.stringContaining('METHOD:REQUEST'),
      },
    });
    await here.meetingsBy(robin).cancelMeeting({ id: meeting.id.slice(`r:${here.name}:`.length) });
    await stands(ben, meeting.id, { status: CANCELLED });
    expect((await mails())[1]).toMatchObject({ value: { calendarMethod: 'CANCEL' } });
  });
});
