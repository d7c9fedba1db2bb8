import { sql } from '@hearth/db';
import type { HearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { failure, follows, ids, receive } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  actOf,
  ada,
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
  itemsFrom,
  moment,
  noted,
  OPEN,
  offer,
  refOf,
  robin,
  second,
  secondAt,
  signed,
  stands,
  TAKEN,
  there,
  told,
  wren,
} from './fixture.ts';

describe('a time of an offer of another home', () => {
  test('is held and booked at its home, and both sides get the meeting, its record and its calendar file', async () => {
    const title = `Roof ${ids.uuid()}`;
    const { id } = await offer({ title });
    await becomes(wren, id, { status: OPEN });
    const hold = await carried(there.meetingsBy(wren).holdSlot({ id: refOf(id), slot: first }));
    expect(hold).toMatchObject({ offer: refOf(id), startsAt: moment(firstAt) });
    expect(hold.heldUntil).toBeDefined();
    const meeting = await book(wren, id, first, { note: 'Gladly' });
    expect(meeting).toMatchObject({
      status: BOOKED,
      offer: refOf(id),
      with: [full(robin, here)],
      withName: robin.name,
      nameVerified: false,
      offered: false,
      note: 'Gladly',
      startsAt: moment(firstAt),
    });
    const ownId = meeting.id.slice(`r:${here.name}:`.length);
    expect(await here.meetingsBy(ada).getMeeting({ id: ownId })).toMatchObject({
      with: [full(wren, there)],
      withName: wren.name,
      nameVerified: false,
      offered: true,
      uid: meeting.uid,
    });
    const listed = await stands(wren, meeting.id, { status: BOOKED, uid: meeting.uid, sequence: 0 });
    expect((await there.meetingsBy(wren).listMeetings({})).meetings).toEqual([listed]);
    await becomes(wren, id, { booked: 1, slots: [{ free: false }, { free: true }] });
    // Each home notifies its own side.
    expect(await told(here, title)).toMatchObject([
      {
        what: 'booked',
        bySide: 1,
        reference: '',
        sides: [{ id: robin.id, elsewhere: false }, { elsewhere: true }],
      },
    ]);
    expect(await told(there, title)).toMatchObject([
      {
        what: 'booked',
        bySide: 1,
        reference: meeting.id,
        sides: [{ elsewhere: true }, { id: wren.id, elsewhere: false }],
      },
    ]);

    await signed();
    const { record } = await here.meetingsBy(robin).getMeeting({ id: ownId });
    expect(record).toMatchObject({
      meeting: {
        offer: id,
        offered_by: { address: robin.address },
        booked_by: {
          address: full(wren, there),
          home: there.name,
          item: {
            type: 'act',
            body: { operation: 'book_meeting', on: refOf(id), request: { slot: firstAt } },
          },
        },
      },
    });
    expect(record).not.toHaveProperty('acts');
    await stands(wren, meeting.id, { record });
    expect(await there.meetingsBy(wren).getMeeting({ id: meeting.id })).not.toHaveProperty('receipt');
    const [mine, theirs] = [
      await here.meetingsBy(robin).getMeetingIcs({ id: ownId }),
      await there.meetingsBy(wren).getMeetingIcs({ id: meeting.id }),
    ].map(({ text }) => text.replaceAll('\r\n ', ''));
    for (const text of [mine, theirs]) expect(text).toContain(`UID:${meeting.uid}\r\n`);
    expect(theirs).toContain(`With ${robin.name} (${full(robin, here)})`);
    // To anyone who is not a side, the meeting does not exist.
    expect(await failure(there.meetingsBy(there.newPerson()).getMeeting({ id: meeting.id }))).toBe(
      'not_found not_found',
    );
    expect(await failure(there.meetingsBy(wren).getMeeting({ id: ownId }))).toBe('not_found not_found');
  });

  test('shows names of the other home as unverified, in the record too', async () => {
    const ben = there.newPerson();
    const { here: id } = await booked(ben);
    await signed();
    const shown = await here.meetingsBy(robin).getMeeting({ id });
    expect(shown).toMatchObject({ withName: ben.name, nameVerified: false });
    expect(shown.record).toMatchObject({
      meeting: { offered_by: { name_verified: true }, booked_by: { name: ben.name, name_verified: false } },
    });
  });

  test('is booked once by concurrent callers of both homes, and the others get the free times', async () => {
    const [locals, remotes] = [
      Array.from({ length: 6 }, () => here.world.asAi(here.world.newAi())),
      Array.from({ length: 4 }, () => there.world.asAi(there.world.newAi())),
    ];
    const { id } = await here.offer(robin, {
      to: [...locals.map(({ address }) => address), ...remotes.map((remote) => full(remote, there))],
      times: 2,
    });
    for (const remote of remotes) await becomes(remote, id, { status: OPEN });
    const calls = [
      ...locals.map((local) => here.meetingsBy(local).bookMeeting({ offer: id, slot: first })),
      ...remotes.map((remote) => there.meetingsBy(remote).bookMeeting({ offer: refOf(id), slot: first })),
    ].map((call) =>
      call.then(
        () => 'booked',
        ({ details }: HearthError) => `${details.code} ${details.free?.join()}`,
      ),
    );
    const outcomes = await carried(Promise.all(calls));
    const free = `slot_taken ${secondAt}`;
    expect(outcomes.toSorted()).toEqual(['booked', ...Array(9).fill(free)]);
    expect(await here.meetingsBy(robin).getOffer({ id })).toMatchObject({ booked: 1, status: OPEN });
  });

  test('booked or held by somebody else is refused with its home’s error, and the last booking makes the offer taken', async () => {
    const local = here.world.asAi(here.world.newAi());
    const { id } = await here.offer(robin, { to: [full(wren, there), local.address], times: 1 });
    await becomes(wren, id, { status: OPEN });
    await here.meetingsBy(local).holdSlot({ id, slot: first });
    const refused = there.meetingsBy(wren).bookMeeting({ offer: refOf(id), slot: first });
    await expect(carried(refused)).rejects.toMatchObject({
      message: expect.stringContaining(here.name),
      details: { code: 'slot_taken', field: 'slot', free: [secondAt] },
    });
    expect(await failure(book(wren, id, '2026-05-04T11:00'))).toBe('bad_request bad_field slot');
    await book(wren, id, second);
    await becomes(wren, id, { status: TAKEN });
    expect(await failure(book(wren, id, first))).toBe('bad_request not_waiting');
  });

  test('closes overlapping times in all offers of its host, and in the booker’s offers at the other home', async () => {
    const slots = [{ startsAt: first }];
    const [one, other] = [await offer(), await offer({ slots, times: 1 })];
    const own = await there.offer(wren, { to: ['anyone'] });
    for (const { id } of [one, other]) await becomes(wren, id, { status: OPEN });
    await book(wren, one.id);
    await becomes(wren, other.id, { status: TAKEN, slots: [{ free: false }] });
    await follows(async () => {
      await carry(here, there);
      const { slots } = await there
        .meetingsBy(there.world.asAi(there.world.newAi()))
        .getOffer({ id: own.id });
      expect(slots.map(({ free }) => free)).toEqual([false, true]);
    });
  });

  test('closes overlapping times at both homes, and no others', async () => {
    const slots = ['2026-05-04T10:00', '2026-05-04T10:30', '2026-05-04T11:00'].map((startsAt) => ({
      startsAt,
    }));
    const { id } = await offer({ slots, times: 3 });
    await becomes(wren, id, { status: OPEN });
    const meeting = await book(wren, id, first);
    await becomes(wren, id, { slots: [{ free: false }, { free: false }, { free: true }] });
    await expect(book(wren, id, '2026-05-04T10:30')).rejects.toMatchObject({
      details: { code: 'slot_taken', field: 'slot', free: ['2026-05-04T09:00:00.000Z'] },
    });
    await book(wren, id, '2026-05-04T11:00');
    await carried(there.meetingsBy(wren).cancelMeeting({ id: meeting.id }));
    await becomes(wren, id, { booked: 1, slots: [{ free: true }, { free: false }, { free: false }] });
  });

  test('is pending until its home answers, and is not sent twice', async () => {
    const { id } = await offer();
    await becomes(wren, id, { status: OPEN });
    const wanted = { offer: refOf(id), slot: first };
    const statuses: number[] = [];
    const [pending, again, held] = await Promise.all([
      there.meetingsBy(wren).bookMeeting(wanted, noted(statuses)),
      there.meetingsBy(wren).bookMeeting(wanted, noted(statuses)),
      failure(there.meetingsBy(wren).holdSlot({ id: refOf(id), slot: second })),
    ]);
    expect(pending).toMatchObject({ id: '', offer: refOf(id), with: [full(robin, here)], pending: true });
    expect(again).toEqual(pending);
    expect(statuses.toSorted()).toEqual([0, 200]);
    expect(held).toBe('unavailable home_unreachable');
    await follows(async () => {
      await carry(there, here);
      await carry(here, there);
      const { meetings } = await there.meetingsBy(wren).listMeetings({});
      expect(meetings).toMatchObject([{ status: BOOKED, offer: refOf(id) }]);
    });
    expect(await here.meetingsBy(robin).getOffer({ id })).toMatchObject({ booked: 1 });
  }, 20_000);

  test('is booked once for each request_id, and for each act', async () => {
    const { id } = await offer();
    await becomes(wren, id, { status: OPEN });
    const statuses: number[] = [];
    const once = { offer: refOf(id), slot: first, requestId: 'once' };
    const booking = () => carried(there.meetingsBy(wren).bookMeeting(once, noted(statuses)));
    const meeting = await booking();
    expect((await booking()).id).toBe(meeting.id);
    expect(statuses).toEqual([0, 200]);
    // The home that sent the act may not have received its result.
    const act = actOf('book_meeting', id, { slot: secondAt });
    const [made, again] = [await receive(here, act), await receive(here, act)].map(({ result }) => result);
    expect([made?.status, again?.status]).toEqual([201, 200]);
    expect(again?.answerJson).toBe(made?.answerJson);
    expect((await here.meetingsBy(robin).getOffer({ id })).booked).toBe(2);
  });

  test('is booked again under the id the other home knows, after its home was restored from an older backup', async () => {
    const { id } = await offer();
    await becomes(wren, id, { status: OPEN });
    const uuid = parseId('ofr', id);
    await here.run(sql`create table decisions.kept as select * from decisions.offers where id = ${uuid}`);
    const act = actOf('book_meeting', id, { slot: firstAt });
    const bookAgain = async () => {
      const { result } = await receive(here, act);
      expect(result).toMatchObject({ errorJson: '' });
      return JSON.parse(result!.answerJson).id;
    };
    const made = await bookAgain();
    expect(made).toMatch(/^mtg_/);
    await here.run(sql`delete from decisions.meetings where offer = ${uuid}`);
    await here.run(sql`delete from decisions.requests`);
    await here.run(sql`
      update decisions.offers o set (status, slots, holds, busy, booked, due_at)
        = (k.status, k.slots, k.holds, k.busy, k.booked, k.due_at)
      from decisions.kept k where k.id = o.id`);
    await here.run(sql`drop table decisions.kept`);
    expect((await here.meetingsBy(robin).listMeetings({})).meetings).toEqual([]);
    expect(await bookAgain()).toBe(made);
    expect((await here.meetingsBy(robin).getMeeting({ id: made })).status).toBe(BOOKED);
  });

  test('offered to an AI is booked in its name by its person, who is not named', async () => {
    const ben = there.newPerson();
    const owned = there.newAi(ben);
    there.acquainted.add(ben.id);
    const { id } = await offer({}, [owned]);
    await becomes(ben, id, { status: OPEN });
    const { id: meeting } = await book(ben, id);
    const seen = await here.meetingsBy(robin).getMeeting({ id: meeting.slice(`r:${here.name}:`.length) });
    expect(seen).toMatchObject({ with: [full(owned, there)] });
    expect(JSON.stringify(await itemsFrom(there))).not.toContain(ben.handle.concat('@'));
    await stands(ben, meeting, { status: BOOKED });
    await stands(owned, meeting, { status: BOOKED });
    const off = await carried(there.meetingsBy(ben).cancelMeeting({ id: meeting }));
    expect(off).toMatchObject({ status: CANCELLED, cancelledBy: owned.address });
  });
});
