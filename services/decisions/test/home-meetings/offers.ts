import { HearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import { failure, follows, receive } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  actOf,
  ada,
  becomes,
  book,
  carry,
  EXPIRED,
  firstAt,
  full,
  here,
  moment,
  OPEN,
  offer,
  refOf,
  robin,
  stateOf,
  there,
  WITHDRAWN,
  wren,
} from './fixture.ts';

describe('an offer to someone of another home', () => {
  test('can be read there by its reference before the message about it arrives', async () => {
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

  test('belongs to the AI’s new owner when the AI is claimed while the offer arrives', async () => {
    const ben = there.newPerson();
    const ai = { id: wren.id };
    await there.publish({ case: 'aiClaimed', value: { ai, status: 'claimed', person: ben.id } });
    // Identity was asked before.
    const { id } = await offer();
    await becomes(ben, id, { to: [wren.address] });
    expect(await failure(there.meetingsBy(wren).getOffer({ id: refOf(id) }))).toBe('not_found not_found');
  });

  test('keeps its maker’s spelling of the time zone at both homes', async () => {
    const { id, timeZone } = await offer({ timeZone: 'Asia/Kathmandu' });
    expect(timeZone).toBe('Asia/Kathmandu');
    await becomes(wren, id, { timeZone });
  });

  test('follows its state, and is forgotten when it was refused', async () => {
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

  test('is refused to and from people under 18, and stays local for anyone or a group', async () => {
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

describe('the rules of people at the other home', () => {
  test('hide offers they turn away or decline, and show offers that wait in their requests', async () => {
    const hows = ['inbox', 'requests', 'front_door', 'declined', 'turned_away'];
    const people = hows.map((how) => {
      const person = there.newPerson();
      there.world.reach.set(person.id, { how });
      return person;
    });
    const { id } = await offer({}, people);
    expect(await receive(there, await stateOf(id))).toMatchObject({ firstContacts: people.length });
    const seen = await Promise.all(
      people.map((person) => failure(there.meetingsBy(person).getOffer({ id: refOf(id) }))),
    );
    expect(seen).toEqual(['none', 'none', 'none', 'not_found not_found', 'not_found not_found']);
  });

  test('are not revealed: to the maker a declined offer looks like an accepted one', async () => {
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
        const carried = (await carry(here, there)).at(-1);
        expect(carried?.item.id).toBe(refOf(id));
        return carried;
      });
      looks.push({
        ...{ shown, status: open.status, handling: open.handling.map((handling) => handling.how) },
        ...{ free: open.slots.map(({ free }) => free), booked: open.booked },
        activities: activities.map(({ data: { value } }) => value.what),
        verdicts: [decision, code, last?.decision, last?.code],
      });
    }
    expect(looks.map(({ shown }) => shown)).toEqual([true, true, true, false, false]);
    const [taken, ...others] = looks.map(({ shown: _, ...seen }) => seen);
    expect(taken).toMatchObject({ status: OPEN, handling: ['delivered'], free: [true, true], booked: 0 });
    for (const other of others) expect(other).toEqual(taken);
  });

  test('limit how many of their people a home may contact first, including its message', async () => {
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

  test('hide the offer from a person who blocks its maker, and apply local blocks at the maker’s home', async () => {
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
