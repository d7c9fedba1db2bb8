import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { HearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import { Scope } from '@hearth/proto/options';
import { asApp, failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  ada,
  BOOKED,
  ben,
  book,
  EXPIRED,
  first,
  firstAt,
  home,
  moment,
  OPEN,
  robin,
  secondAt,
  TAKEN,
  told,
  toWren,
  WITHDRAWN,
  wren,
} from './fixture.ts';

describe('an offer of times', () => {
  test('is hidden from a person who blocks its maker while it is sent', async () => {
    const [address, { reach }] = [`@${ben.handle}`, home.world];
    home.taken.set(address, () => {
      reach.set(ben.id, { how: 'turned_away' });
      return Delivery.DELIVERED;
    });
    const { id } = await home.offer(wren, { to: [address] });
    expect(await failure(home.meetingsBy(ben).getOffer({ id }))).toBe('not_found not_found');
    expect((await home.meetingsBy(wren).getOffer({ id })).handling).toMatchObject([{ how: 'delivered' }]);
  });

  test.each([
    ['claimed', true],
    ['released', false],
  ])('belongs to whoever has an AI that is %s while it is sent', async (_, isClaimed) => {
    const facts = home.world.newAi(isClaimed ? undefined : ben);
    const ai = { id: facts.id, address: facts.address, name: facts.name };
    home.taken.set(facts.address, async () => {
      if (isClaimed)
        await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: ben.id } });
      else await home.publish({ case: 'aiUnclaimed', value: { ai, owner: ben.id } });
      return Delivery.DELIVERED;
    });
    const { id } = await home.offer(robin, { to: [facts.address] });
    const alone = { ...home.world.asAi(facts), person: '' };
    const seen = async (who: Parameters<typeof home.meetingsBy>[0]) =>
      (await home.meetingsBy(who).listOffers({ to: 'me' })).offers.map((offer) => offer.id);
    const [owner, other] = isClaimed ? [ben, alone] : [alone, ben];
    expect([await seen(owner), await seen(other)]).toEqual([[id], []]);
    expect(await failure(home.meetingsBy(other).getOffer({ id }))).toBe('not_found not_found');
    expect((await home.meetingsBy(owner).getOffer({ id })).to).toEqual([facts.address]);
    home.taken.clear();
  });

  test('that a crash left unsent goes to the AI’s current holder, and is hidden until then', async () => {
    const [facts, later] = [home.world.newAi(ben), home.newPerson()];
    home.taken.set(facts.address, () => {
      throw new HearthError('unavailable', 'away');
    });
    const { id } = await home.offer(robin, { to: [facts.address] });
    // As left by a process that died before it recorded anything.
    await home.database.statement((tx) =>
      tx.execute(sql`delete from decisions.offer_seats where offer = ${parseId('ofr', id)}`),
    );
    const ai = { id: facts.id, address: facts.address, name: facts.name };
    await home.publish({ case: 'aiUnclaimed', value: { ai, owner: ben.id } });
    await home.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: later.id } });
    const seen = async () =>
      await Promise.all(
        [later, ben].map(async (who) => (await home.meetingsBy(who).listOffers({ to: 'me' })).offers.length),
      );
    expect(await seen()).toEqual([0, 0]);
    home.taken.clear();
    home.clock.advance(40_000);
    await home.runJob('decisions: send-offers');
    expect(await seen()).toEqual([1, 0]);
  });

  test('is refused beyond the limit, even when many are made at once', async () => {
    const made = Array.from({ length: 70 }, () => failure(home.offer(wren, { to: ['anyone'] })));
    const refused = (await Promise.all(made)).filter((outcome) => outcome !== 'none');
    expect(refused).toEqual(Array(20).fill('bad_request cap_reached'));
  });

  test('goes to its recipients as a message, and is booked', async () => {
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

  test('is not stored when its recipients refuse it, and can be made again', async () => {
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

  test('is sent later when the messages service is away', async () => {
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

  test('to a group is posted for its members, and to anyone is open to all but children', async () => {
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

  test('is not found by people whom its maker blocks, like an unknown offer', async () => {
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

  test('of a suspended AI cannot be booked', async () => {
    const facts = home.world.newAi(ada);
    const { id } = await home.offer(home.world.asAi(facts), { to: ['anyone'] });
    // As identity returns a suspended AI.
    facts.permissions = [];
    for (const ask of [() => home.meetingsBy(wren).holdSlot({ id, slot: first }), () => book(wren, id)])
      expect(await failure(ask())).toBe('bad_request not_waiting');
    facts.permissions = [Scope.READ, Scope.MESSAGE];
    expect(await book(wren, id)).toMatchObject({ status: BOOKED });
  });

  test('of a suspended person cannot be booked until the suspension ends', async () => {
    const person = home.newPerson();
    const { id } = await home.offer(person, { to: ['anyone'] });
    const until = home.clock.now() + 60_000;
    home.world.changePerson(person, { suspendedUntil: timestampFromDate(new Date(until)) });
    for (const ask of [() => home.meetingsBy(wren).holdSlot({ id, slot: first }), () => book(wren, id)])
      expect(await failure(ask())).toBe('bad_request not_waiting');
    home.clock.advance(60_000);
    expect(await book(wren, id)).toMatchObject({ status: BOOKED });
  });

  test('is withdrawn, expires, or is used up', async () => {
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

  test('to oneself, from an app acting for nobody, or beyond the cap is refused', async () => {
    expect(await failure(toWren({ to: [robin.address] }))).toBe('bad_request bad_field to[0]');
    expect(await failure(home.offer(asApp(home.app), { to: ['anyone'] }))).toBe(
      'bad_request bad_field Svc-Acting-For',
    );
    expect(await failure(book(ada, (await toWren()).id))).toBe('bad_request bad_field offer');
  });
});
