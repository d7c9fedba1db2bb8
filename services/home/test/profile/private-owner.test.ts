import { signUpAi } from '@hearth/identity/testing/ais';
import { addGroup, addPerson, ownedAi, type TestPerson } from '@hearth/identity/testing/persons';
import { failure } from '@hearth/identity/testing/start-identity';
import type { Caller } from '@hearth/rpc';
import { textOf } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { madeAi, startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile({ env: { HEARTH_LIMITS: '{"sign_ups_an_hour": 10000}' } });
const { by } = home;
const stranger = (await addPerson(home)).caller;
afterAll(() => home.stop());

const day = 86_400_000;
const free = /^@free-[a-z0-9]{6}\.ai-/;

const cardOf = async (address: string, caller: Caller) => await by(caller).getCard({ address });
const profileAt = async (address: string) =>
  (await home.fromMessages.findProfiles({ addresses: [address] })).results[0]!.profile;
const update = async (owner: TestPerson, id: string, change: object) =>
  await by(owner).updateAi({ id, ...change });

const privateAi = (owner: TestPerson, name = 'Quiet') => madeAi(home, owner, { name, ownerPrivate: true });

/** Callers who may not know the owner: a stranger, a group fellow, a fellow's AI, and an AI without an owner. */
async function others(owner: TestPerson): Promise<Caller[]> {
  const fellow = await addPerson(home);
  addGroup(home, [owner, fellow]);
  return [stranger, fellow.caller, (await madeAi(home, fellow)).caller, (await signUpAi(home)).caller];
}

describe('an AI whose owner keeps their name private', () => {
  test("hides the owner's handle, id and name from others, fellow members included", async () => {
    const owner = await addPerson(home, { name: 'Zelda Unique' });
    const ai = await privateAi(owner);
    await by(ai).describeMe({ text: 'for fellows alone' });
    await by(ai).setAway({
      until: { seconds: BigInt(home.clock.now() / 1_000 + 3_600), nanos: 0 },
      note: 'lunch',
    });
    expect(ai.address).toMatch(free);
    const seen = [];
    for (const caller of await others(owner)) {
      const card = await cardOf(ai.address, caller);
      const { signature: _, ...said } = card;
      seen.push(said);
      for (const shown of [card, await by(caller).getAi({ id: ai.id })]) {
        const text = textOf(shown);
        for (const secret of [owner.handle, owner.id, owner.uuid, 'Zelda', 'fellows', 'lunch'])
          expect(text).not.toContain(secret);
      }
    }
    for (const said of seen) expect(said).toEqual(seen[0]);
    expect((await cardOf(ai.address, owner.caller)).owner).toBe(owner.id);
    expect((await cardOf(ai.address, ai.caller)).owner).toBe(owner.id);
  });

  test('keeps its address when it is claimed, and returns to it', async () => {
    const owner = await addPerson(home);
    const ai = await signUpAi(home);
    const claimed = await by(owner).claimAi({ token: ai.claimLink, ownerPrivate: true });
    expect(claimed).toMatchObject({ address: ai.address, owner: owner.id, ownerPrivate: true });
    expect(await profileAt(`@${owner.handle}.ai-robin`)).toBeUndefined();
    await update(owner, ai.id, { name: 'Renamed' });
    const released = await by(ownedAi(ai.uuid, owner.uuid)).notMyPerson({});
    expect(released.address).toBe(ai.address);
    home.clock.advance(400 * day);
    expect(await profileAt(ai.address)).toMatchObject({ id: ai.uuid, address: ai.address });
  });

  test('moves away from the handle when the owner hides, and the former address redirects for the owner only', async () => {
    const owner = await addPerson(home);
    const { ai } = await by(owner).createAi({ name: 'Helper' });
    const before = `@${owner.handle}.ai-helper`;
    expect(ai!.address).toBe(before);
    const hidden = await update(owner, ai!.id, { ownerPrivate: true });
    expect(hidden.address).toMatch(free);
    for (const caller of await others(owner)) {
      expect(await failure(cardOf(before, caller))).toBe('not_found not_found');
      expect(await failure(by(caller).getAi({ id: before }))).toMatch(/not_found|bad_field/);
      expect((await cardOf(hidden.address, caller)).owner).toBeUndefined();
    }
    expect((await cardOf(before, owner.caller)).address).toBe(hidden.address);
    expect(await profileAt(before)).toBeUndefined();
    expect(await profileAt(hidden.address)).toMatchObject({ owner: owner.uuid, ownerPrivate: true });

    const shown = await update(owner, ai!.id, { ownerPrivate: false });
    expect(shown.address).toBe(before);
    home.clock.advance(400 * day);
    expect((await cardOf(hidden.address, stranger)).address).toBe(before);
    expect((await cardOf(before, stranger)).owner).toBe(owner.id);
  });

  test('hides its former addresses as well', async () => {
    const owner = await addPerson(home);
    const { ai } = await by(owner).createAi({ name: 'One' });
    await update(owner, ai!.id, { name: 'Two' });
    await update(owner, ai!.id, { ownerPrivate: true });
    for (const name of ['one', 'two']) {
      expect(await failure(cardOf(`@${owner.handle}.ai-${name}`, stranger))).toBe('not_found not_found');
    }
  });

  test('gets a neutral address when renamed, and keeps it for the same letters', async () => {
    const owner = await addPerson(home);
    const ai = await privateAi(owner, 'Zoe');
    expect((await update(owner, ai.id, { name: 'Zoë!' })).address).toBe(ai.address);
    const { address } = await update(owner, ai.id, { name: 'Bea' });
    expect(address).toMatch(/^@free-[a-z0-9]{6}\.ai-bea$/);
    expect((await cardOf(ai.address, stranger)).address).toBe(address);
    home.clock.advance(91 * day);
    expect(await failure(cardOf(ai.address, stranger))).toBe('not_found not_found');
  });

  test('hides concurrently, with unique addresses', async () => {
    const owner = await addPerson(home);
    const made = await Promise.all(Array.from({ length: 6 }, () => privateAi(owner, 'Twin')));
    expect(new Set(made.map(({ address }) => address)).size).toBe(6);
    await Promise.all(
      [true, false, true, false].map((ownerPrivate) => update(owner, made[0]!.id, { ownerPrivate })),
    );
    const { address, ownerPrivate } = await by(owner).getAi({ id: made[0]!.id });
    expect(address.startsWith('@free-')).toBe(ownerPrivate);
  });
});

test('an AI is found by its uuid after any move, until it is switched off', async () => {
  const owner = await addPerson(home);
  const ai = await privateAi(owner);
  const find = async (...ids: string[]) =>
    (await home.fromMessages.findProfiles({ addresses: [ai.address], ids })).results.map(
      ({ profile }) => profile?.address,
    );
  expect(await find(ai.uuid, owner.uuid, 'no uuid', stranger.id.replace(/^./, 'f'))).toEqual([
    ai.address,
    ai.address,
    `@${owner.handle}`,
    undefined,
    undefined,
  ]);
  await by(ai).revokeAi({ id: 'me' });
  expect(await find(ai.uuid)).toEqual([undefined, undefined]);
  expect(await failure(find(...Array.from({ length: 101 }, () => ai.uuid)))).toBe('bad_request bad_field');
});
