import { sql, type Tx } from '@hearth/db';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import { eventually, failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { lockHosts } from '../../src/meetings/db/met.ts';
import { ada, BOOKED, ben, book, home, OPEN, robin, wren } from './fixture.ts';

const named = ({ id, address, name }: Caller) => ({ id, address, name });

async function claim(ai: Caller, owner: PersonFacts): Promise<void> {
  home.world.changeAi(ai, { owner: owner.id });
  await home.publish({ case: 'aiClaimed', value: { ai: named(ai), status: 'claimed', person: owner.id } });
}

async function release(ai: Caller, owner: PersonFacts): Promise<void> {
  home.world.changeAi(ai, { owner: '' });
  await home.publish({ case: 'aiUnclaimed', value: { ai: named(ai), owner: owner.id } });
}

/** The meetings that each of them sees. */
const seenBy = async (...people: Parameters<typeof home.meetingsBy>[0][]) =>
  await Promise.all(
    people.map(async (who) => (await home.meetingsBy(who).listMeetings({})).meetings.map(({ id }) => id)),
  );

describe.each<[string, { requestId?: string }]>([
  ['at once', {}],
  ['with a request_id', { requestId: 'walk-1' }],
])('a time booked %s', (_, fields) => {
  const anyone = async () => (await home.offer(robin, { to: ['anyone'], times: 2 })).id;

  test('by an AI that is claimed meanwhile belongs to its owner', async () => {
    const offer = await anyone();
    home.meanwhile.happens = () => claim(wren, ben);
    const { id, status } = await book(wren, offer, undefined, fields);
    expect(status).toBe(BOOKED);
    expect(await seenBy(ben, wren)).toEqual([[id], []]);
    expect((await seenBy({ ...wren, person: ben.id }))[0]).toEqual([id]);
  });

  test('by an AI that is released meanwhile belongs to the AI alone', async () => {
    const offer = await anyone();
    const helper = home.newAi(ben);
    home.meanwhile.happens = () => release(helper, ben);
    const { id } = await book(helper, offer, undefined, fields);
    expect(await seenBy(ben, { ...helper, person: '' })).toEqual([[], [id]]);
  });

  test('by an AI that meanwhile belongs to a person under 18 is refused', async () => {
    const offer = await anyone();
    const helper = home.newAi(ben);
    const { child } = home.newFamily();
    home.meanwhile.happens = () => claim(helper, child);
    expect(await failure(book(helper, offer, undefined, fields))).toBe('not_found not_found');
    expect(await seenBy(ben, robin)).toEqual([[], []]);
  });

  test('by an AI without an owner that a person under 18 claims meanwhile is refused', async () => {
    const offer = await anyone();
    const { child } = home.newFamily();
    home.meanwhile.happens = () => claim(wren, child);
    expect(await failure(book(wren, offer, undefined, fields))).toBe('not_found not_found');
    expect(await seenBy(wren, robin)).toEqual([[], []]);
  });

  test('by an AI whose owner has turned 18 belongs to the owner', async () => {
    const offer = await anyone();
    const { child } = home.newFamily({ ageBand: AgeBand.TEEN16 });
    await claim(wren, child);
    home.world.changePerson(child, { ageBand: AgeBand.ADULT, guardians: [] });
    const { id } = await book({ ...wren, person: child.id }, offer, undefined, fields);
    expect(await seenBy(child, wren)).toEqual([[id], []]);
  });

  test('by an AI whose former owner received the offer is refused', async () => {
    const helper = home.newAi(ben);
    const { id: offer } = await home.offer(robin, { to: [`@${ben.handle}`] });
    home.meanwhile.happens = () => release(helper, ben);
    expect(await failure(book(helper, offer, undefined, fields))).toBe('not_found not_found');
    expect(await seenBy(robin, ben)).toEqual([[], []]);
  });

  test('from an AI that is released meanwhile is a meeting with the AI alone', async () => {
    const offer = await anyone();
    home.meanwhile.happens = () => release(robin, ada);
    const { id } = await book(wren, offer, undefined, fields);
    expect(await seenBy(ada, { ...robin, person: '' }, wren)).toEqual([[], [id], [id]]);
  });

  test('is booked once when the request is repeated after its AI was claimed', async () => {
    const offer = await anyone();
    home.meanwhile.happens = () => claim(wren, ben);
    const first = await book(wren, offer, undefined, fields);
    const again = book({ ...wren, person: ben.id }, offer, undefined, fields);
    if (!('requestId' in fields)) expect(await failure(again)).toBe('bad_request slot_taken slot');
    else expect((await again).id).toBe(first.id);
  });
});

describe('times offered with an outdated credential', () => {
  const offersOf = async (who: Parameters<typeof home.meetingsBy>[0]) =>
    (await home.meetingsBy(who).listOffers({ by: 'me' })).offers.map(({ id }) => id);

  test('belong to the owner who claimed the AI', async () => {
    await claim(wren, ben);
    const { id } = await home.offer(wren, { to: ['anyone'] });
    expect([await offersOf(ben), await offersOf(wren)]).toEqual([[id], []]);
  });

  test('belong to the AI alone after its release', async () => {
    const helper = home.newAi(ben);
    await release(helper, ben);
    const { id } = await home.offer(helper, { to: ['anyone'], requestId: 'walk-2' });
    expect([await offersOf(ben), await offersOf({ ...helper, person: '' })]).toEqual([[], [id]]);
  });

  test('are refused if a person under 18 claimed the AI', async () => {
    const { child } = home.newFamily();
    await claim(wren, child);
    expect(await failure(home.offer(wren, { to: ['anyone'] }))).toBe('forbidden minors_not_allowed');
    expect(await offersOf(wren)).toEqual([]);
  });
});

describe('the former owner of an AI', () => {
  /** Runs the act while a release of the AI waits for the same lock, and gets it first. */
  async function behindRelease(
    {
      ai,
      owner,
      lock,
      waiting,
    }: { ai: Caller; owner: PersonFacts; lock: (tx: Tx) => Promise<unknown>; waiting: string },
    act: () => Promise<unknown>,
  ): Promise<string> {
    const queued = async (count: number) =>
      await eventually(async () => {
        const waits = await home.database.db.query(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like ${`%${waiting}%`}`);
        return waits.length >= count;
      });
    const { released, acted } = await home.database.transaction(async (tx) => {
      await lock(tx);
      const released = release(ai, owner);
      await queued(1);
      const acted = failure(act());
      await queued(2);
      return { released: () => released, acted: () => acted };
    });
    await released();
    return await acted();
  }

  test('cannot cancel a meeting that passes to the AI meanwhile', async () => {
    const helper = home.newAi(ben);
    const offer = await home.offer(robin, { to: ['anyone'] });
    const { id } = await book(helper, offer.id);
    const lock = (tx: Tx) => lockHosts(tx, [ben.id]);
    const outcome = await behindRelease(
      { ai: helper, owner: ben, lock, waiting: 'pg_advisory_xact_lock' },
      () => home.meetingsBy(ben).cancelMeeting({ id }),
    );
    expect(outcome).toBe('not_found not_found');
    const now = await home.meetingsBy({ ...helper, person: '' }).getMeeting({ id });
    expect(now.status).toBe(BOOKED);
  });

  test('cannot withdraw an offer that passes to the AI meanwhile', async () => {
    const helper = home.newAi(ben);
    const { id } = await home.offer(helper, { to: ['anyone'] });
    const lock = (tx: Tx) =>
      tx.execute(sql`select 1 from decisions.offers where host_id = ${helper.id} for update`);
    const outcome = await behindRelease({ ai: helper, owner: ben, lock, waiting: 'decisions.offers' }, () =>
      home.meetingsBy(ben).withdrawOffer({ id }),
    );
    expect(outcome).toBe('not_found not_found');
    const now = await home.meetingsBy({ ...helper, person: '' }).getOffer({ id });
    expect(now.status).toBe(OPEN);
  });
});
