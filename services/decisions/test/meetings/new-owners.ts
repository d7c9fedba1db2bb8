import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { ada, BOOKED, ben, book, home, robin, wren } from './fixture.ts';

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
