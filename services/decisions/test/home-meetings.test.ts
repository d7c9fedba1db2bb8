import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { HearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { MeetingStatus, OfferStatus } from '@hearth/proto/decisions/v1/meetings';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision, HomeItemSchema } from '@hearth/proto/federation/v1/items';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import type { Caller, ResponseMetadata } from '@hearth/rpc';
import { asPerson, eventually, failure, follows, ids, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startDecisions, type Who } from './start-decisions.ts';

const { here, there, carry, stop } = await startAtTwo('decisions', startDecisions);
afterAll(stop);
type Home = typeof here;

let ada: PersonFacts;
/** Robin of Ada is of the home here and offers times, Wren of no one is of the other. */
let robin: Caller;
let wren: Caller;

beforeEach(() => {
  ada = here.newPerson();
  robin = here.newAi(ada);
  wren = there.world.asAi(there.world.newAi());
  for (const { sent, taken } of [here, there]) {
    sent.length = 0;
    taken.clear();
  }
});

const { BOOKED, CANCELLED } = MeetingStatus;
const { OPEN, TAKEN, WITHDRAWN, EXPIRED } = OfferStatus;
const [first, second] = ['2026-05-04T10:00', '2026-05-05T10:00'];
const [firstAt, secondAt] = ['2026-05-04T08:00:00.000Z', '2026-05-05T08:00:00.000Z'];
const moment = (text: string) => timestampFromDate(new Date(text));
const full = (who: Who, { name }: Home) =>
  `${('kind' in who ? who.address : who.handle).replace(/^@/, '')}@${name}`;
const refOf = (id: string) => `r:${here.name}:${id}`;
const offer = (fields: object = {}, to: readonly Who[] = [wren]) =>
  here.offer(robin, { to: to.map((one) => full(one, there)), times: 2, ...fields });
const carried = <Answer>(call: Promise<Answer>) => carry.during(there, here, call);
/** The offer as that one of the other home has it, once it is so there. */
const becomes = (who: Who, id: string, expected: object) =>
  follows(async () => {
    await carry(here, there);
    const found = await there.meetingsBy(who).getOffer({ id: refOf(id) });
    expect(found).toMatchObject(expected);
    return found;
  });
/** The meeting as that one of the other home has it, once it is so there. */
const stands = (who: Who, id: string, expected: object) =>
  follows(async () => {
    await carry(here, there);
    const found = await there.meetingsBy(who).getMeeting({ id });
    expect(found).toMatchObject(expected);
    return found;
  });
const book = (who: Who, id: string, slot = first, fields: object = {}) =>
  carried(there.meetingsBy(who).bookMeeting({ offer: refOf(id), slot, ...fields }));
const booked = async (who: Who = wren, fields: object = {}) => {
  const { id } = await offer(fields, [who]);
  await becomes(who, id, { status: OPEN });
  const meeting = await book(who, id);
  await stands(who, meeting.id, { status: BOOKED });
  return { offer: id, there: meeting.id, here: meeting.id.slice(`r:${here.name}:`.length) };
};
const told = async (home: Home, title: string) =>
  (await home.events('decisions', 'meetingChanged')).flatMap(({ data: { value } }) =>
    value.title === title ? [value] : [],
  );
/** Every meeting is signed as it stands; the home's own run of the job may have some in hand. */
const signed = async () => {
  here.clock.advance(6_000);
  await here.runJob('decisions: sign-meetings');
  const rest = () =>
    here.database.db.query(
      sql`select 1 from decisions.meetings where signed_record is null and elsewhere is null`,
    );
  await eventually(rest, ({ length }) => length === 0);
};

describe('an offer to someone of another home', () => {
  test('is read there by its reference, before the message that tells of it', async () => {
    let early: unknown;
    here.taken.set(full(wren, there), () => {
      early = here.events('decisions', 'itemForHomes').then((all) => all.at(-1)?.data.value.bodyJson);
      return Delivery.HELD;
    });
    const { id, handling, to } = await offer({ place: 'On the phone', note: 'About the roof' });
    expect(JSON.parse(String(await early))).toMatchObject({ kind: 'offer', object: { id: refOf(id) } });
    expect({ handling, to }).toMatchObject({ handling: [{ how: 'held' }], to: [full(wren, there)] });
    expect(here.sent).toMatchObject([{ to: full(wren, there), data: { offer: refOf(id) } }]);
    expect(here.sent[0]?.text).toContain(`Book one of these times with book_meeting, offer ${refOf(id)}.`);
    const read = await becomes(wren, id, {
      id: refOf(id),
      by: full(robin, here),
      byName: robin.name,
      title: 'A call',
      to: [wren.address],
      place: 'On the phone',
      note: 'About the roof',
      status: OPEN,
      slots: [{ startsAt: moment(firstAt), free: true }, { free: true }],
      yours: false,
      handling: [],
    });
    expect((await there.meetingsBy(wren).listOffers({ to: 'me' })).offers).toEqual([read]);
    expect((await there.meetingsBy(wren).listOffers({ by: full(robin, here) })).offers).toEqual([read]);
    await follows(async () =>
      expect((await here.meetingsBy(robin).getOffer({ id })).handling).toMatchObject([{ how: 'delivered' }]),
    );
    const stranger = there.world.asAi(there.world.newAi());
    expect(await failure(there.meetingsBy(stranger).getOffer({ id: refOf(id) }))).toBe('not_found not_found');
    expect(await failure(book(stranger, id))).toBe('not_found not_found');
    expect(await failure(there.meetingsBy(wren).withdrawOffer({ id: refOf(id) }))).toBe(
      'forbidden no_permission',
    );
  });

  test('follows what becomes of it, and is forgotten where it was refused', async () => {
    const [withdrawn, expired] = [await offer(), await offer()];
    for (const { id } of [withdrawn, expired]) await becomes(wren, id, { status: OPEN });
    await here.meetingsBy(robin).withdrawOffer({ id: withdrawn.id });
    await becomes(wren, withdrawn.id, { status: WITHDRAWN, slots: [{ free: false }, { free: false }] });
    expect(await failure(book(wren, withdrawn.id))).toBe('bad_request not_waiting');

    here.taken.set(full(wren, there), () => {
      throw new HearthError('forbidden', 'no', { code: 'home_denied' });
    });
    expect(await failure(offer())).toBe('forbidden home_denied');
    await follows(async () => {
      const items = await carry(here, there);
      expect(items.at(-1)?.item.type).toBe(HomeItemType.ERASED);
    });
    const { offers } = await there.meetingsBy(wren).listOffers({ status: OPEN });
    expect(offers.map(({ id }) => id)).toEqual([refOf(expired.id)]);

    const { clock } = there;
    clock.advance(400 * 86_400_000);
    await there.runJob('decisions: advance-offers');
    expect(await there.meetingsBy(wren).getOffer({ id: refOf(expired.id) })).toMatchObject({
      status: EXPIRED,
    });
    clock.advance(-400 * 86_400_000);
  });

  test('goes to no one under 18, and by none; to anyone or a group it stays here', async () => {
    const child = there.newPerson({ ageBand: AgeBand.CHILD });
    const { id } = await offer({}, [child]);
    expect(await receive(there, await stateOf(id))).toMatchObject({ code: 'no_such_address' });
    const own = here.newPerson({ ageBand: AgeBand.TEEN13 });
    expect(await failure(here.offer(own, { to: [full(wren, there)] }))).toBe('forbidden minors_not_allowed');
    expect(await failure(offer({ to: ['anyone', full(wren, there)] }))).toBe('bad_request bad_field to');
    expect(await failure(offer({ to: [full(wren, there), full(wren, there)] }))).toBe(
      'bad_request bad_field to[1]',
    );
    const toAll = await here.offer(robin, { to: ['anyone'] });
    const asked = await receive(here, actOf('book_meeting', toAll.id, { slot: firstAt }));
    expect(asked.result).toMatchObject({ status: 404 });
  });
});

describe('the rules of the people there', () => {
  test('hide what they turn away or decline, and show what waits in their requests', async () => {
    const hows = ['inbox', 'requests', 'front_door', 'declined', 'turned_away'];
    const people = hows.map((how) => {
      const one = there.newPerson();
      there.world.reach.set(one.id, { how });
      return one;
    });
    const { id } = await offer({}, people);
    expect(await receive(there, await stateOf(id))).toMatchObject({ firstContacts: people.length });
    const seen = await Promise.all(
      people.map((one) => failure(there.meetingsBy(one).getOffer({ id: refOf(id) }))),
    );
    expect(seen).toEqual(['none', 'none', 'none', 'not_found not_found', 'not_found not_found']);
  });

  test('are not told to the maker: an offer that is declined looks like one that was taken', async () => {
    const looks = [];
    for (const how of ['inbox', 'requests', 'front_door', 'declined', 'turned_away']) {
      const ben = there.newPerson();
      there.world.reach.set(ben.id, { how });
      const { id } = await offer({}, [ben]);
      await follows(async () => {
        await carry(here, there);
        expect((await here.meetingsBy(robin).getOffer({ id })).handling).not.toMatchObject([{ how: 'held' }]);
      });
      const shown = (await failure(there.meetingsBy(ben).getOffer({ id: refOf(id) }))) === 'none';
      const open = await here.meetingsBy(robin).getOffer({ id });
      const activities = (await here.events('decisions', 'offerChanged')).filter(
        ({ data: { value } }) => printId('ofr', value.offer) === id,
      );
      const { decision, code } = await receive(there, await stateOf(id));
      await here.meetingsBy(robin).withdrawOffer({ id });
      const last = await follows(async () => {
        const one = (await carry(here, there)).at(-1);
        expect(one?.item.id).toBe(refOf(id));
        return one;
      });
      looks.push({
        ...{ shown, status: open.status, handling: open.handling.map((one) => one.how) },
        ...{ free: open.slots.map(({ free }) => free), booked: open.booked },
        activities: activities.map(({ data: { value } }) => value.what),
        verdicts: [decision, code, last?.decision, last?.code],
      });
    }
    expect(looks.map(({ shown }) => shown)).toEqual([true, true, true, false, false]);
    const [taken, ...others] = looks.map(({ shown: _, ...seen }) => seen);
    expect(taken).toMatchObject({ status: OPEN, handling: ['delivered'], free: [true, true], booked: 0 });
    for (const one of others) expect(one).toEqual(taken);
  });

  test('bound how many people of theirs a home reaches first: the message that tells of it counts too', async () => {
    const ben = there.newPerson();
    const { id } = await offer({}, [ben]);
    const item = await stateOf(id);
    expect(await receive(there, item, { left: 1 })).toMatchObject({ code: 'first_contact' });
    there.acquainted.add(ben.id);
    expect(await receive(there, item, { left: 1, limited: true })).toMatchObject({ code: 'first_contact' });
    expect(await receive(there, item, { left: 0 })).toMatchObject({
      decision: HomeItemDecision.OK,
      firstContacts: 0,
    });
  });

  test('take an offer from the eyes of who blocks its maker, and the home here knows its own blocks', async () => {
    const ben = there.newPerson();
    const { id } = await offer({}, [ben]);
    await becomes(ben, id, { status: OPEN });
    const block = { person: ben.id, target: full(robin, here), targetId: '' };
    await there.publish({ case: 'blocked', value: block });
    await follows(async () =>
      expect(await failure(there.meetingsBy(ben).getOffer({ id: refOf(id) }))).toBe('not_found not_found'),
    );

    const other = await offer();
    await becomes(wren, other.id, { status: OPEN });
    here.world.reach.set(ada.id, { how: 'turned_away' });
    expect(await failure(book(wren, other.id))).toBe('not_found not_found');
  });
});

describe('a time of an offer of another home', () => {
  test('is held and booked at its home, and both sides have the meeting, its record and its calendar file', async () => {
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
      nameVerified: true,
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
    // Each home tells its own side.
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
    // No side of it, no meeting.
    expect(await failure(there.meetingsBy(there.newPerson()).getMeeting({ id: meeting.id }))).toBe(
      'not_found not_found',
    );
    expect(await failure(there.meetingsBy(wren).getMeeting({ id: ownId }))).toBe('not_found not_found');
  });

  test('is booked once by many at once from both homes, and the others learn what is free', async () => {
    const [locals, remotes] = [
      Array.from({ length: 6 }, () => here.world.asAi(here.world.newAi())),
      Array.from({ length: 4 }, () => there.world.asAi(there.world.newAi())),
    ];
    const { id } = await here.offer(robin, {
      to: [...locals.map(({ address }) => address), ...remotes.map((one) => full(one, there))],
      times: 2,
    });
    for (const one of remotes) await becomes(one, id, { status: OPEN });
    const calls = [
      ...locals.map((one) => here.meetingsBy(one).bookMeeting({ offer: id, slot: first })),
      ...remotes.map((one) => there.meetingsBy(one).bookMeeting({ offer: refOf(id), slot: first })),
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

  test('that another booked or holds is refused in the words of its home; the last booking makes it taken', async () => {
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

  test('closes those that overlap it at both homes, and no other', async () => {
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

  test('is on its way while its home has not answered, and not sent twice', async () => {
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
    const one = await booking();
    expect((await booking()).id).toBe(one.id);
    expect(statuses).toEqual([0, 200]);
    // The home that sent it may not have heard of its result.
    const act = actOf('book_meeting', id, { slot: secondAt });
    const [made, again] = [await receive(here, act), await receive(here, act)].map(({ result }) => result);
    expect([made?.status, again?.status]).toEqual([201, 200]);
    expect(again?.answerJson).toBe(made?.answerJson);
    expect((await here.meetingsBy(robin).getOffer({ id })).booked).toBe(2);
  });

  test('that was offered to an AI is booked in its name by its person, who is not named', async () => {
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

/** The items that a home told the others. */
async function itemsFrom(home: Home) {
  return (await home.events('decisions', 'itemForHomes')).map(({ data: { value } }) => [
    value.from,
    value.bodyJson,
    value.senderJson,
  ]);
}

describe('a meeting with another home', () => {
  test('moves when the other side accepts, whichever of them proposes', async () => {
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

  test('stays as it is where another time is declined, by a side or for who blocks the other', async () => {
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

  test('stays as it is, with the reason, where the message of another time is undeliverable', async () => {
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
    // The one before it is proposed no more.
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

    // Told again after a crash, messages says so at once.
    here.taken.set(full(wren, there), () => Delivery.UNDELIVERABLE);
    await propose(second);
    const ended = await here.meetingsBy(robin).getMeeting({ id: meeting.here });
    expect([ended.move, ended.reason]).toEqual([undefined, words.reason]);
    here.taken.clear();
    await propose(second);
    const again = await stands(wren, meeting.there, { move: { yours: false } });
    expect(again.reason).toBeUndefined();
  });

  test('is called off by either side, and its time is free again', async () => {
    const title = `Roof ${ids.uuid()}`;
    const [byWren, byRobin] = [await booked(wren, { title }), await booked(wren, { title })];
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

  test('is off when the AI of either side is gone', async () => {
    const [ofWren, ofRobin] = [await booked(), await booked(there.world.asAi(there.world.newAi()))];
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

  test('goes with an AI that is claimed at its home', async () => {
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

  test('is mailed to the people of its own side alone', async () => {
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

/** Notes the HTTP status that a call answers with; 0 stands for the declared one. */
const noted = (statuses: number[]) => ({
  onMetadata: ({ httpStatus }: ResponseMetadata) => void statuses.push(httpStatus),
});

/** An act of Wren on an offer or a meeting here. */
function actOf(operation: string, id: string, request: object) {
  const act = `r:${there.name}:${printId('act', ids.uuid())}`;
  const sender = { id: printId('ai', wren.id), kind: 'ai', name: wren.name, status: 'unclaimed' };
  const body = { on: refOf(id), operation, request, by: 'ai', proof: 'key', via: 'api' };
  return create(HomeItemSchema, {
    ...{ type: HomeItemType.ACT, id: act, rev: 1n, home: there.name, from: full(wren, there) },
    ...{ senderJson: JSON.stringify(sender), bodyJson: JSON.stringify(body) },
    itemJson: JSON.stringify({ type: 'act', id: act, body }),
  });
}

/** The last state of an offer or a meeting here as the other home gets it. */
async function stateOf(id: string, over: (object: Record<string, unknown>) => object = (object) => object) {
  return await follows(async () => {
    const { data } = (await here.events('decisions', 'itemForHomes')).findLast(
      ({ data: { value } }) => value.id === id,
    )!;
    const { bodyJson, from, homes, rev, senderJson } = data.value;
    const body = JSON.parse(bodyJson) as { kind: string; object: Record<string, unknown> };
    return create(HomeItemSchema, {
      ...{ type: HomeItemType.STATE, id: refOf(id), rev, home: here.name, senderJson },
      from: `${from.replace(/^@/, '')}@${here.name}`,
      to: homes[0]!.to.map((address) => `@${address.slice(0, address.lastIndexOf('@'))}`),
      bodyJson: JSON.stringify({ ...body, object: over(body.object) }),
    });
  });
}

describe('states that no honest home sends', () => {
  test('of an offer are refused whole', async () => {
    const { id } = await offer();
    const slots = (object: Record<string, unknown>) => object['slots'] as object[];
    const refused: [string, (object: Record<string, unknown>) => object][] = [
      ['another id', (object) => ({ ...object, id: refOf(printId('ofr', ids.uuid())) })],
      ['no status', ({ status: _, ...object }) => object],
      ['no times', (object) => ({ ...object, slots: [] })],
      ['the same time twice', (object) => ({ ...object, slots: [...slots(object), ...slots(object)] })],
      [
        'a time that ends before it starts',
        (object) => ({ ...object, slots: [{ starts_at: secondAt, ends_at: firstAt, free: true }] }),
      ],
      ['a zone that is none', (object) => ({ ...object, time_zone: 'Mars/Base' })],
      ['room for no one', (object) => ({ ...object, times: 0 })],
      ['room for more than there can be', (object) => ({ ...object, times: 4_000_000_000 })],
      ['a maker of another home', (object) => ({ ...object, by: 'robin.ai-x@far.example' })],
      ['a short address', (object) => ({ ...object, by: robin.address })],
      ['no end', ({ expires_at: _, ...object }) => object],
    ];
    for (const [what, over] of refused)
      expect([what, (await receive(there, await stateOf(id, over))).code]).toEqual([what, 'schema']);
    expect(await failure(there.meetingsBy(wren).getOffer({ id: refOf(id) }))).toBe('not_found not_found');
    const read = await becomes(wren, id, { status: OPEN });
    const later = create(HomeItemSchema, {
      ...(await stateOf(id, (object) => ({ ...object, title: 'Another call' }))),
      rev: 9_000_000_000n,
    });
    expect(await receive(there, later)).toMatchObject({ code: 'conflict' });
    expect(await there.meetingsBy(wren).getOffer({ id: refOf(id) })).toEqual(read);
  });

  test('of a meeting are refused whole, also where no one here booked it', async () => {
    const meeting = await booked();
    const refused: [string, (object: Record<string, unknown>) => object][] = [
      ['no times', ({ starts_at: _, ...object }) => object],
      ['the other side of it', (object) => ({ ...object, offered: true })],
      ['with another than its sender', (object) => ({ ...object, with: ['other.ai-x@far.example'] })],
      ['no uid', (object) => ({ ...object, uid: '' })],
    ];
    for (const [what, over] of refused) {
      const item = create(HomeItemSchema, { ...(await stateOf(meeting.here, over)), rev: 9_000_000_000n });
      expect([what, (await receive(there, item)).code]).toEqual([what, 'schema']);
    }
    const id = refOf(printId('mtg', ids.uuid()));
    const stranger = there.world.asAi(there.world.newAi());
    const forged = create(HomeItemSchema, {
      ...(await stateOf(meeting.here, (object) => ({ ...object, id }))),
      ...{ id, to: [stranger.address] },
    });
    expect(await receive(there, forged)).toMatchObject({ code: 'schema' });
    expect((await there.meetingsBy(stranger).listMeetings({})).meetings).toEqual([]);
  });
});

test('another home under the name of one side learns nothing, and what was booked is off', async () => {
  const { id: open } = await offer({ title: 'Only for the one before' });
  await becomes(wren, open, { status: OPEN });
  const both = await booked();
  const parties = [...here.world.parties.values()].flatMap(({ id }) => id || []);
  await here.publish({ case: 'partiesBeganAnew', value: { home: there.name, parties } });
  await follows(async () =>
    expect(await here.meetingsBy(robin).getMeeting({ id: both.here })).toMatchObject({ status: CANCELLED }),
  );
  await here.meetingsBy(robin).withdrawOffer({ id: open });
  const later = await offer({}, [there.world.asAi(there.world.newAi())]);
  await here.meetingsBy(robin).withdrawOffer({ id: later.id });
  const told = async () =>
    (await here.events('decisions', 'itemForHomes')).map(({ data }) => {
      const { object } = JSON.parse(data.value.bodyJson) as { object?: { id: string; status: string } };
      return `${object?.id} ${object?.status}`;
    });
  // Behind all that was due before.
  await follows(async () => expect(await told()).toContain(`${refOf(later.id)} withdrawn`));
  expect(await told()).not.toContain(`${refOf(open)} withdrawn`);
  expect(await told()).not.toContain(`${both.there} cancelled`);

  const theirs = [...there.world.parties.values()].flatMap(({ id }) => id || []);
  await there.publish({ case: 'partiesBeganAnew', value: { home: here.name, parties: theirs } });
  await follows(async () =>
    expect(await there.meetingsBy(wren).getMeeting({ id: both.there })).toMatchObject({ status: CANCELLED }),
  );
});
