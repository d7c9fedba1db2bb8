import { readFileSync } from 'node:fs';
import { type Timestamp, timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { HearthError } from '@hearth/errors';
import { MeetingStatus, OfferStatus } from '@hearth/proto/decisions/v1/meetings';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import { Scope } from '@hearth/proto/options';
import { anonymous, type Caller } from '@hearth/rpc';
import { asApp, eventually, failure } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import ical, { type VEvent } from 'node-ical';
import { startDecisions } from './start-decisions.ts';

const home = await startDecisions();
afterAll(() => home.stop());

const { BOOKED, CANCELLED, PAST } = MeetingStatus;
const { OPEN, TAKEN, WITHDRAWN, EXPIRED } = OfferStatus;
const first = '2026-05-04T10:00';
const [firstAt, secondAt] = ['2026-05-04T08:00:00.000Z', '2026-05-05T08:00:00.000Z'];
const moment = (text: string) => timestampFromDate(new Date(text));

let ada: PersonFacts;
let ben: PersonFacts;
let robin: Caller;
let wren: Caller;
beforeEach(() => {
  ada = home.newPerson();
  ben = home.newPerson();
  robin = home.newAi(ada);
  // An AI without an owner.
  wren = home.world.asAi(home.world.newAi());
  home.sent.length = 0;
});

const toWren = (fields: object = {}) => home.offer(robin, { to: [wren.address], ...fields });
const book = (who: Parameters<typeof home.meetingsBy>[0], offer: string, slot = first, fields: object = {}) =>
  home.meetingsBy(who).bookMeeting({ offer, slot, ...fields });
const booked = async () => await book(wren, (await toWren({ times: 2 })).id);
const told = async (id: string) =>
  (await home.events('decisions', 'meetingChanged')).flatMap(({ data: { value } }) =>
    id.endsWith(value.meeting.replaceAll('-', '')) ? [value] : [],
  );

describe('an offer of times', () => {
  test('is not seen by who blocks its maker while it is sent', async () => {
    const [address, { reach }] = [`@${ben.handle}`, home.world];
    home.taken.set(address, () => {
      reach.set(ben.id, { how: 'turned_away' });
      return Delivery.DELIVERED;
    });
    const { id } = await home.offer(wren, { to: [address] });
    expect(await failure(home.meetingsBy(ben).getOffer({ id }))).toBe('not_found not_found');
    expect((await home.meetingsBy(wren).getOffer({ id })).handling).toMatchObject([{ how: 'delivered' }]);
  });

  test('is refused beyond the limit, also when many are made at once', async () => {
    const made = Array.from({ length: 70 }, () => failure(home.offer(wren, { to: ['anyone'] })));
    const refused = (await Promise.all(made)).filter((one) => one !== 'none');
    expect(refused).toEqual(Array(20).fill('bad_request cap_reached'));
  });

  test('goes to its addresses as a message, and is booked', async () => {
    const offer = await toWren({ place: 'On the phone', note: 'About the roof' });
    expect(offer).toMatchObject({
      by: robin.address,
      byName: robin.name,
      nameVerified: true,
      to: [wren.address],
      status: OPEN,
      times: 1,
      slots: [
        { startsAt: moment(firstAt!), endsAt: moment('2026-05-04T09:00:00Z'), free: true },
        { startsAt: moment(secondAt!), endsAt: moment('2026-05-05T08:30:00Z') },
      ],
      expiresAt: moment(secondAt!),
      handling: [{ to: wren.address, how: 'delivered' }],
    });
    expect(home.sent).toMatchObject([{ to: wren.address, title: 'A call', data: { offer: offer.id } }]);
    expect(home.sent[0]?.text).toContain('Mon, 4 May 2026, 10:00 (2026-05-04T08:00:00Z)');
    expect(home.sent[0]?.text).toContain(`at http://localhost:8080/meetings/offers/${offer.id}, or with`);
    const seen = await home.meetingsBy(wren).getOffer({ id: offer.id });
    expect(seen).toMatchObject({ slots: [{ free: true }, { free: true }], handling: [] });

    const meeting = await book(wren, offer.id, first, { note: 'Gladly' });
    expect(meeting).toMatchObject({
      status: BOOKED,
      sequence: 0,
      offer: offer.id,
      title: 'A call',
      with: [robin.address],
      withName: robin.name,
      offered: false,
      note: 'Gladly',
      startsAt: moment(firstAt!),
    });
    expect(meeting.uid).toMatch(/^meeting-[0-9a-f-]{36}@/);
    expect(await home.meetingsBy(ada).getMeeting({ id: meeting.id })).toMatchObject({
      with: [wren.address],
      nameVerified: false,
      offered: true,
    });
    expect((await home.meetingsBy(robin).getOffer({ id: offer.id })).status).toBe(TAKEN);
    expect(await told(meeting.id)).toMatchObject([
      {
        what: 'booked',
        bySide: 1,
        sides: [
          { id: robin.id, person: ada.id },
          { id: wren.id, person: '' },
        ],
      },
    ]);
    // Its record follows.
    await home.runJob('decisions: sign-meetings');
    home.clock.advance(6_000);
    await home.runJob('decisions: sign-meetings');
    expect((await home.meetingsBy(wren).getMeeting({ id: meeting.id })).record).toMatchObject({
      type: 'meeting',
      status: 'booked',
      meeting: { sequence: 0, offered_by: { address: robin.address, name_verified: true } },
    });
  });

  test('that its addresses refuse is none, and can be made again', async () => {
    home.taken.set(wren.address, () => {
      throw new HearthError('forbidden', 'no', { code: 'turned_away' });
    });
    expect(await failure(toWren({ requestId: 'once' }))).toBe('forbidden turned_away');
    expect((await home.meetingsBy(robin).listOffers({})).offers).toEqual([]);
    home.taken.set(wren.address, () => Delivery.REQUESTED);
    const offer = await toWren({ requestId: 'once' });
    expect(offer.handling).toMatchObject([{ how: 'requested' }]);
    expect((await toWren({ requestId: 'once' })).id).toBe(offer.id);
    home.taken.set(wren.address, () => Delivery.DECLINED);
    const declined = await toWren();
    expect(await failure(home.meetingsBy(wren).getOffer({ id: declined.id }))).toBe('not_found not_found');
    home.taken.clear();
  });

  test('is sent later where messages are away', async () => {
    home.taken.set(wren.address, () => {
      throw new HearthError('unavailable', 'away');
    });
    const offer = await toWren();
    expect(offer.handling).toMatchObject([{ how: 'sending' }]);
    home.taken.clear();
    home.clock.advance(40_000);
    await home.runJob('decisions: send-offers');
    expect((await home.meetingsBy(robin).getOffer({ id: offer.id })).handling).toMatchObject([
      { how: 'delivered' },
    ]);
  });

  test('to a group is posted and there for its members; to anyone it is there for all but children', async () => {
    const group = home.newGroup([ada, ben]);
    const address = `&${group.facts.handle}`;
    const offer = await home.offer(ada, { to: [address] });
    expect(home.posted).toMatchObject([{ group: group.facts.id }]);
    expect((await home.meetingsBy(ben).listOffers({ to: 'me' })).offers).toMatchObject([{ id: offer.id }]);
    expect((await home.meetingsBy(ben).listOffers({ by: 'me', to: 'me' })).offers).toEqual([]);
    expect(await failure(home.meetingsBy(wren).getOffer({ id: offer.id }))).toBe('not_found not_found');
    expect(await book(ben, offer.id)).toMatchObject({ with: [`@${ada.handle}`] });
    expect(await failure(home.offer(wren, { to: [address] }))).toBe('forbidden no_permission');

    const open = await home.offer(wren, { to: ['anyone'], times: 2 });
    const listed = await home.meetingsBy(ben).listOffers({ by: wren.address });
    expect(listed.offers).toMatchObject([{ id: open.id, to: ['anyone'], nameVerified: false }]);
    const { child } = home.newFamily({ ageBand: AgeBand.TEEN13 });
    expect(await failure(home.meetingsBy(child).getOffer({ id: open.id }))).toBe('not_found not_found');
    expect((await home.meetingsBy(child).listOffers({ by: wren.address })).offers).toEqual([]);
    expect(await failure(home.offer(child, { to: ['anyone'] }))).toBe('forbidden minors_not_allowed');
    expect(await failure(toWren({ to: [`@${child.handle}`] }))).toBe('forbidden turned_away');

    expect(await book(ben, open.id)).toMatchObject({ status: BOOKED });
  });

  test('is not there for those whom its maker blocks, in the words of what there is not', async () => {
    const [toAll, toAi] = [await home.offer(robin, { to: ['anyone'] }), await toWren()];
    const seen = async () =>
      (await home.meetingsBy(wren).listOffers({ by: robin.address })).offers.map(({ id }) => id).toSorted();
    const onCard = async () => (await home.meetingsBy(wren).findOpenOffers({ ai: robin.id })).offers.length;
    expect([await seen(), await onCard()]).toEqual([[toAi.id, toAll.id].toSorted(), 1]);
    home.world.reach.set(ada.id, { how: 'turned_away' });
    for (const { id } of [toAll, toAi])
      for (const ask of [
        () => home.meetingsBy(wren).getOffer({ id }),
        () => home.meetingsBy(wren).withdrawOffer({ id }),
        () => home.meetingsBy(wren).holdSlot({ id, slot: first }),
        () => book(wren, id),
      ])
        expect(await failure(ask())).toBe('not_found not_found');
    expect([await seen(), await onCard()]).toEqual([[], 0]);
    for (const who of [robin, ada])
      expect((await home.meetingsBy(who).getOffer({ id: toAi.id })).yours).toBe(true);
  });

  test('of an AI that is suspended is not booked', async () => {
    const facts = home.world.newAi(ada);
    const { id } = await home.offer(home.world.asAi(facts), { to: ['anyone'] });
    // As a suspended one is given by identity.
    facts.permissions = [];
    for (const ask of [() => home.meetingsBy(wren).holdSlot({ id, slot: first }), () => book(wren, id)])
      expect(await failure(ask())).toBe('bad_request not_waiting');
    facts.permissions = [Scope.READ, Scope.MESSAGE];
    expect(await book(wren, id)).toMatchObject({ status: BOOKED });
  });

  test('is taken back, expires, and is done by then', async () => {
    const offer = await toWren();
    expect(await failure(home.meetingsBy(wren).withdrawOffer({ id: offer.id }))).toBe(
      'forbidden no_permission',
    );
    for (let time = 0; time < 2; time += 1)
      expect((await home.meetingsBy(ada).withdrawOffer({ id: offer.id })).status).toBe(WITHDRAWN);
    expect(await failure(book(wren, offer.id))).toBe('bad_request not_waiting');
    const soon = await toWren({ expiresAt: timestampFromDate(new Date(home.clock.now() + 60_000)) });
    home.clock.advance(60_000);
    await home.runJob('decisions: advance-offers');
    const [row] = await home.database.db.query<{ status: string }>({
      text: `select status from decisions.offers where id = $1`,
      values: [soon.id.replace('ofr_', '')],
    });
    expect(row?.status).toBe('expired');
    expect((await home.meetingsBy(wren).listOffers({ status: EXPIRED })).offers[0]?.id).toBe(soon.id);
  });

  const refusals: [string, object, string][] = [
    ['an unknown zone', { timeZone: 'Mars/Base' }, 'bad_request bad_field time_zone'],
    [
      'a time that is over',
      { slots: [{ startsAt: '2020-01-01T10:00' }] },
      'bad_request bad_field slots[0].starts_at',
    ],
    [
      'a time too far ahead',
      { slots: [{ startsAt: '2027-05-04T10:00' }] },
      'bad_request bad_field slots[0].starts_at',
    ],
    ['a day', { slots: [{ startsAt: '2026-05-04' }] }, 'bad_request bad_field slots[0].starts_at'],
    [
      'a time of a minute',
      { slots: [{ startsAt: first, endsAt: '2026-05-04T10:01' }] },
      'bad_request bad_field slots[0].ends_at',
    ],
    [
      'a time twice',
      { slots: [{ startsAt: first }, { startsAt: '2026-05-04T08:00:00Z' }] },
      'bad_request bad_field slots[1]',
    ],
    [
      'a time that the clocks skip',
      { slots: [{ startsAt: '2026-03-29T02:30' }] },
      'bad_request ambiguous_time slots[0].starts_at',
    ],
    ['more bookings than times', { times: 3 }, 'bad_request bad_field times'],
    ['anyone with an address', { to: ['anyone', '@x'] }, 'bad_request bad_field to'],
    ['an unknown address', { to: ['@nobody-at-all'] }, 'not_found not_found'],
  ];
  test.each(refusals)('with %s is refused', async (_, fields, expected) => {
    expect(await failure(toWren(fields))).toBe(expected);
  });

  test('to oneself, by an app for no one, and of too many is refused', async () => {
    expect(await failure(toWren({ to: [robin.address] }))).toBe('bad_request bad_field to[0]');
    expect(await failure(home.offer(asApp(home.app), { to: ['anyone'] }))).toBe(
      'bad_request bad_field Svc-Acting-For',
    );
    expect(await failure(book(ada, (await toWren()).id))).toBe('bad_request bad_field offer');
  });
});

describe('a time of an offer', () => {
  test('is booked once by a hundred at once, and the others learn what is free', async () => {
    const callers = Array.from({ length: 100 }, () => home.world.asAi(home.world.newAi()));
    const offer = await home.offer(robin, { to: ['anyone'], times: 2 });
    const outcomes = await Promise.all(
      callers.map(async (caller) => {
        try {
          return (await book(caller, offer.id)).status;
        } catch (error) {
          return (error as HearthError).details;
        }
      }),
    );
    expect(outcomes.filter((one) => one === BOOKED)).toHaveLength(1);
    const taken = { code: 'slot_taken', field: 'slot', free: [secondAt] };
    expect(outcomes.filter((one) => one !== BOOKED)).toEqual(Array.from({ length: 99 }, () => taken));
    // The table itself takes no second one.
    const second = home.database.statement((tx) =>
      tx.execute({
        text: `
          insert into decisions.meetings select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid()))).*
          from decisions.meetings m where m.offer = $1`,
        values: [offer.id.replace('ofr_', '')],
      }),
    );
    await expect(second).rejects.toMatchObject({ cause: { code: '23505' } });
  });

  test('is booked as its offer stands, and not as it was looked at before another changed it', async () => {
    const offer = await home.offer(robin, { to: ['anyone'], times: 2 });
    const id = offer.id.replace('ofr_', '');
    const waiting = async () =>
      (
        await home.database.db.query<{ pid: number }>({
          text: `
            select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%decisions.offers%'`,
          values: [],
        })
      ).length;
    const hold = {
      holder: home.newPerson().id,
      slot: Date.parse(firstAt!),
      until: home.clock.now() + 60_000,
    };
    const outcomes: Promise<string>[] = [];
    await home.database.transaction(async (tx) => {
      await tx.execute({
        text: 'update decisions.offers set holds = $2 where id = $1',
        values: [id, JSON.stringify([hold])],
      });
      for (const slot of [first, '2026-05-05T10:00']) outcomes.push(failure(book(wren, offer.id, slot)));
      await eventually(waiting, (count) => count > 0);
    });
    expect(await Promise.all(outcomes)).toEqual(['bad_request slot_taken slot', 'none']);
  });

  test('closes the times that overlap it, until it is off or moved', async () => {
    const [early, between, late] = ['2026-05-04T10:00', '2026-05-04T10:30', '2026-05-04T11:00'];
    const slots = [early, between, late].map((startsAt) => ({ startsAt }));
    const { id } = await toWren({ slots, times: 3 });
    const free = async () => (await home.meetingsBy(wren).getOffer({ id })).slots.map((slot) => slot.free);
    const one = await book(wren, id, early);
    expect(await free()).toEqual([false, false, true]);
    for (const ask of [
      () => book(wren, id, between),
      () => home.meetingsBy(wren).holdSlot({ id, slot: between }),
    ])
      await expect(ask()).rejects.toMatchObject({
        message: expect.stringContaining('overlaps'),
        details: { code: 'slot_taken', field: 'slot', free: ['2026-05-04T09:00:00.000Z'] },
      });
    // It overlaps two by now, and is free once both are elsewhere.
    const other = await book(wren, id, late);
    await home.meetingsBy(wren).cancelMeeting({ id: one.id });
    expect(await free()).toEqual([true, false, false]);
    const move = async (startsAt: string) => {
      await home.meetingsBy(wren).moveMeeting({ id: other.id, startsAt });
      return await home.meetingsBy(robin).acceptMove({ id: other.id });
    };
    await move('2026-05-04T11:30');
    expect(await free()).toEqual([true, true, false]);
    // A time that no slot begins with takes those that it overlaps, and no meeting moves onto another.
    await move('2026-05-04T11:15');
    expect(await free()).toEqual([true, false, false]);
    await book(wren, id, early);
    expect(await failure(move('2026-05-04T10:45'))).toBe('bad_request slot_taken slot');
  });

  test('that was booked before overlaps were looked at closes those that overlap it', async () => {
    const slots = [{ startsAt: first }, { startsAt: '2026-05-04T10:30' }];
    const { id } = await toWren({ slots, times: 2 });
    await book(wren, id);
    await home.run(sql`update decisions.offers set busy = '[]' where id = ${id.replace('ofr_', '')}`);
    const migration = readFileSync(
      new URL('../migrations/0011-times-that-overlap.sql', import.meta.url),
      'utf8',
    );
    const [, update = ''] = migration.split(';');
    await home.run({ text: update.replaceAll(/(update|from) (?=offers|meetings)/g, '$1 decisions.') });
    expect(await failure(book(wren, id, '2026-05-04T10:30'))).toBe('bad_request slot_taken slot');
    const [row] = await home.database.db.query<{ busy: unknown }>(
      sql`select busy from decisions.offers where id = ${id.replace('ofr_', '')}`,
    );
    expect(row?.busy).toMatchObject([
      { starts: Date.parse(firstAt!), ends: Date.parse(firstAt!) + 3_600_000 },
    ]);
  });

  test('and another that overlaps it are booked once by many at once', async () => {
    const slots = [first, '2026-05-04T10:15', '2026-05-04T10:45'].map((startsAt) => ({ startsAt }));
    const { id } = await home.offer(robin, { to: ['anyone'], slots, times: 3 });
    const callers = Array.from({ length: 30 }, () => home.world.asAi(home.world.newAi()));
    const outcomes = await Promise.all(
      callers.map((who, index) =>
        failure(book(who, id, slots[index % 3]?.startsAt, index % 2 === 0 ? {} : { requestId: 'once' })),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(29).fill('bad_request slot_taken slot'), 'none']);
    expect(await home.meetingsBy(robin).getOffer({ id })).toMatchObject({ booked: 1 });
  });

  test('that is held closes those that overlap it to others', async () => {
    const later = '2026-05-04T10:30';
    const { id } = await home.offer(robin, {
      to: ['anyone'],
      slots: [{ startsAt: first }, { startsAt: later }],
    });
    await home.meetingsBy(wren).holdSlot({ id, slot: first });
    expect(await failure(book(ben, id, later))).toBe('bad_request slot_taken slot');
    expect(await book(wren, id, later)).toMatchObject({ status: BOOKED });
  });

  test('is held for one caller at a time, for five minutes', async () => {
    const offer = await home.offer(robin, { to: ['anyone'] });
    const { id } = offer;
    const hold = (who: Caller, slot: string) => home.meetingsBy(who).holdSlot({ id, slot });
    const other = home.world.asAi(home.world.newAi());
    const held = await hold(wren, first);
    expect(held).toMatchObject({
      offer: id,
      heldUntil: timestampFromDate(new Date(home.clock.now() + 300_000)),
    });
    expect(await failure(hold(other, first))).toBe('bad_request slot_taken slot');
    expect(await failure(book(other, id))).toBe('bad_request slot_taken slot');
    // Another hold takes the place of the first.
    await hold(wren, '2026-05-05T10:00');
    await hold(other, first);
    home.clock.advance(300_000);
    expect(await book(wren, id)).toMatchObject({ status: BOOKED });
    expect(await failure(hold(other, '2026-05-05T10:00'))).toBe('bad_request not_waiting');
    expect(await failure(hold(wren, '2026-05-06T10:00'))).toBe('bad_request bad_field slot');
  });

  test('is held by the same caller a few times an hour, whoever of a person and their AIs asks', async () => {
    const { id } = await home.offer(wren, { to: ['anyone'] });
    const hold = (who: Parameters<typeof home.meetingsBy>[0], slot = first) =>
      home.meetingsBy(who).holdSlot({ id, slot });
    for (const who of [robin, ada, robin]) {
      await hold(who);
      home.clock.advance(300_000);
    }
    for (const who of [robin, ada]) expect(await failure(hold(who))).toMatch(/^rate_limited/);
    // Another time, and another caller, are none of these; the time itself can be booked.
    await hold(ada, '2026-05-05T10:00');
    await hold(ben);
    home.clock.advance(300_000);
    expect(await book(robin, id)).toMatchObject({ status: BOOKED });
  });

  test('is booked once for each request_id', async () => {
    const { id } = await toWren({ times: 2 });
    const meeting = await book(wren, id, first, { requestId: 'one' });
    expect((await book(wren, id, first, { requestId: 'one' })).id).toBe(meeting.id);
    expect(await failure(book(wren, id, '2026-05-05T10:00', { requestId: 'one' }))).toBe(
      'bad_request request_id_reused request_id',
    );
  });

  test('that was offered to an AI is booked in its name by its person, who is not named', async () => {
    const { id } = await home.offer(wren, { to: [robin.address] });
    const meeting = await book(ada, id);
    expect(meeting).toMatchObject({ with: [wren.address] });
    const seen = await home.meetingsBy(wren).getMeeting({ id: meeting.id });
    expect(seen).toMatchObject({ with: [robin.address], withName: robin.name });
  });
});

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
    // To a time of the offer that is taken it does not move.
    await home.meetingsBy(robin).moveMeeting({ id, startsAt: first });
    expect(await failure(home.meetingsBy(wren).acceptMove({ id }))).toBe('bad_request slot_taken slot');
    expect((await home.meetingsBy(wren).declineMove({ id })).move).toBeUndefined();
    expect(await failure(home.meetingsBy(wren).acceptMove({ id }))).toBe('bad_request not_waiting');
    expect(await failure(home.meetingsBy(ben).moveMeeting(move))).toBe('not_found not_found');
  });

  test('moves to the time that its other side saw, or not at all', async () => {
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

  test('is told of again where a time is proposed anew that was declined, or that another took the place of', async () => {
    const { id } = await booked();
    home.sent.length = 0;
    const propose = async (startsAt: string) => {
      home.clock.advance(1_000);
      await home.meetingsBy(robin).moveMeeting({ id, startsAt });
    };
    for (const time of ['2026-05-07T15:00', '2026-05-08T15:00', '2026-05-07T15:00']) await propose(time);
    await home.meetingsBy(wren).declineMove({ id });
    // The second is the same proposal, which is told once.
    for (let again = 0; again < 2; again += 1) await propose('2026-05-07T15:00');
    expect(new Set(home.sent.map(({ requestId }) => requestId)).size).toBe(4);
    expect((await told(id)).filter(({ what }) => what === 'move_proposed')).toHaveLength(4);
  });

  test('has no move any more that waits for who blocks the one who proposed it', async () => {
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
    expect((await told(id)).map(({ what }) => what)).toEqual(['booked', 'move_proposed', 'move_declined']);
    expect(await home.meetingsBy(wren).getMeeting({ id })).toMatchObject({ status: BOOKED, sequence: 0 });
    // A block of the person is one of their AIs.
    await home.meetingsBy(robin).moveMeeting({ id, startsAt: '2026-05-07T15:00' });
    await blocked(wren.id, ada.id);
    expect(await moveOf()).toBeUndefined();
  });

  test('is called off by either side, once, and its time is free', async () => {
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

  test('is off when a side is gone', async () => {
    const { id } = await booked();
    await home.publish({ case: 'aiRevoked', value: { ai: wren.id, address: wren.address } });
    const off = await eventually(async () => {
      const seen = await home.meetingsBy(robin).getMeeting({ id });
      return seen.status === CANCELLED && seen;
    });
    expect(off.cancelledBy).toBeUndefined();
    expect(await told(id)).toMatchObject([{ what: 'booked' }, { what: 'cancelled', byItself: true }]);
  });

  test('is off when the AI that offered it is gone, and its time is offered no more', async () => {
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

  test('goes with an AI that is claimed, comes back with it, and ends where its person is under 18', async () => {
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
      return [meetings.map((one) => one.id), offers.map((one) => one.id).toSorted()];
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
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id: wren.id }, owner: ben.id } });
    expect(await seenBy(ben)).toEqual([[], []]);
    expect(await seenBy(wren)).toEqual(all);

    const { child } = home.newFamily({ ageBand: AgeBand.CHILD });
    await claimed(child, wren);
    expect(await seenBy({ ...wren, person: child.id, minor: true })).toEqual([[], []]);
    const off = await home.meetingsBy(robin).getMeeting({ id });
    expect([off.status, off.cancelledBy]).toEqual([CANCELLED, undefined]);
    expect((await home.meetingsBy(robin).getOffer({ id: own.id })).status).toBe(WITHDRAWN);
  });

  test('is with the owner of its AI by now, whenever claims come, and however often', async () => {
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

  test('is with the newest owner when the end of the claim before comes last', async () => {
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

  test('leaves nothing of its owner where the account is deleted', async () => {
    const ai = { id: wren.id };
    const owner = home.newPerson();
    const kept = () =>
      home.database.db.query({ text: 'select person from decisions.hands where ai = $1', values: [wren.id] });
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: owner.id } });
    expect(await kept()).toEqual([{ person: owner.id }]);
    await home.publish({ case: 'accountDeleted', value: { deleted: [owner.id], handovers: [] } });
    expect(await kept()).toEqual([]);
  });

  test('is listed by when it starts, and is past afterwards', async () => {
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

describe('the calendar of a meeting', () => {
  const read = (text: string) =>
    Object.values(ical.sync.parseICS(text)).find((one): one is VEvent => one?.type === 'VEVENT') as VEvent;

  test.each([
    ['in winter', '2026-03-28T10:00', '2026-03-28T09:00:00.000Z'],
    ['in summer', '2026-03-30T10:00', '2026-03-30T08:00:00.000Z'],
    ['across the change', '2026-03-28T23:30', '2026-03-28T22:30:00.000Z'],
  ])('has its hour right %s', async (_, startsAt, instant) => {
    const length = startsAt.endsWith('23:30') ? '2026-03-29T04:30' : undefined;
    const slots = [{ startsAt, ...(length !== undefined && { endsAt: length }) }];
    const { id } = await book(wren, (await toWren({ slots })).id, startsAt);
    const { text } = await home.meetingsBy(wren).getMeetingIcs({ id });
    const event = read(text);
    expect(event.start.toISOString()).toBe(instant);
    const hours = length === undefined ? 1 : 4;
    expect(event.end?.getTime()).toBe(Date.parse(instant) + hours * 3_600_000);
  });

  test('is mailed to a person whom no app holds, with what calendars act on', async () => {
    const free = home.newPerson({ app: '', email: 'free@mail.example', name: 'Free <Person>' });
    const { id: offer } = await home.offer(wren, {
      to: [`@${free.handle}`],
      title: 'Evil\r\nBEGIN:VALARM; x@y',
    });
    const { id, uid } = await book(free, offer);
    expect((await told(id))[0]?.sides.map(({ unmailed }) => unmailed)).toEqual([false, false]);
    const mail = async (part: number) => {
      const asked = [
        { kind: 'meeting_mail', id: uid.slice('meeting-'.length, -'@localhost:8080'.length), part },
      ];
      const answer = await home.sends.prepareSends({ sends: asked }, { caller: anonymous });
      const content = answer.sends[0]?.content;
      return content?.case === 'mail' ? content.value : null;
    };
    // The AI without an owner has no mail.
    expect(await mail(0)).toBeNull();
    const request = await mail(1);
    expect(request).toMatchObject({
      to: 'free@mail.example',
      calendarMethod: 'REQUEST',
      reportable: wren.address,
    });
    expect(request?.calendar).toContain('METHOD:REQUEST\r\n');
    expect(request?.calendar).not.toMatch(/^BEGIN:VALARM/m);
    expect(read(request!.calendar)).toMatchObject({ uid, status: 'CONFIRMED', sequence: 0 });
    expect(request?.text).not.toContain('x@y');
    await home.meetingsBy(wren).cancelMeeting({ id });
    const off = await mail(1);
    expect(off).toMatchObject({ calendarMethod: 'CANCEL' });
    expect(read(off!.calendar)).toMatchObject({ uid, status: 'CANCELLED', sequence: 1 });
  });

  test('says at once whom no mail reaches: people of an app, and those without an address', async () => {
    const silent = home.newPerson({ app: '', email: '' });
    const held = home.newPerson({ email: 'held@mail.example' });
    const offer = await home.offer(home.newAi(silent), { to: ['anyone'] });
    const { id } = await book(held, offer.id);
    expect((await told(id))[0]?.sides).toMatchObject([
      { person: silent.id, unmailed: true },
      { person: held.id, unmailed: true },
    ]);
  });
});
