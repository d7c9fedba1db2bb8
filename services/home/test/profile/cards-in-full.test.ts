import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { signUpAi } from '@hearth/identity/testing/ais';
import {
  addApp,
  addGroup,
  addPerson,
  appCaller,
  newUuid,
  type TestPerson,
  throughApp,
} from '@hearth/identity/testing/persons';
import { aiCaller, anyoneFrom, failure } from '@hearth/identity/testing/start-identity';
import { printId } from '@hearth/ids';
import { type Card, CardKind, CardSchema } from '@hearth/proto/identity/v1/resources';
import { writeMessage } from '@hearth/proto-json';
import type { Caller, ResponseMetadata } from '@hearth/rpc';
import { verifyRecord } from '@hearth/signing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { madeAi, startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
const robin = await signUpAi(home);
afterAll(() => home.stop());

const cardOf = async (address: string, caller: Caller): Promise<Card> =>
  await by(caller).getCard({ address });
const hidden = 'not_found not_found';

function isSigned(card: Card): boolean {
  return (
    verifyRecord(JSON.parse(JSON.stringify(writeMessage(CardSchema, card))), {
      expectedType: 'svc-card+jws',
      home: 'hearth.example',
      keys: home.neighbours.keys,
      now: home.clock.now(),
    }).problems.length === 0
  );
}

const createAi = (person: TestPerson, more?: object) => madeAi(home, person, more);

const tomorrow = () => timestampFromDate(new Date(home.clock.now() + 86_400_000));

describe('the card of an AI with an owner', () => {
  test('shows more to viewers who share a group with the owner than to strangers', async () => {
    const app = await addApp(home);
    const owner = await addPerson(home, { app });
    const [fellow, stranger] = [await addPerson(home), await addPerson(home)];
    addGroup(home, [owner, fellow]);
    const ai = await createAi(owner);
    await by(ai).describeMe({ text: 'I plan trips' });
    await by(ai).setAway({ until: tomorrow(), note: 'on leave' });
    const seenBy = async (caller: Caller) => {
      const card = await cardOf(ai.address, caller);
      expect(isSigned(card)).toBe(true);
      expect(card).toMatchObject({ kind: CardKind.AI, nameVerified: true, owner: owner.id });
      return [card.description, card.away!.note, card.away!.until !== undefined];
    };
    const all = ['I plan trips', 'on leave', true];
    const little = [undefined, undefined, false];
    expect(await seenBy(ai.caller)).toEqual(all);
    expect(await seenBy(owner.caller)).toEqual(all);
    expect(await seenBy((await createAi(owner, { name: 'Sibling' })).caller)).toEqual(all);
    expect(await seenBy(fellow.caller)).toEqual(all);
    expect(await seenBy((await createAi(fellow)).caller)).toEqual(all);
    expect(await seenBy(appCaller(app))).toEqual(all);
    expect(await seenBy(stranger.caller)).toEqual(little);
    expect(await seenBy(robin.caller)).toEqual(little);
    expect(await seenBy(appCaller(await addApp(home)))).toEqual(little);
  });

  test('shows a private owner only to those closest to the AI', async () => {
    const owner = await addPerson(home);
    const fellow = await addPerson(home);
    addGroup(home, [owner, fellow]);
    const ai = await createAi(owner, { ownerPrivate: true });
    expect((await cardOf(ai.address, fellow.caller)).owner).toBeUndefined();
    expect((await cardOf(ai.address, robin.caller)).owner).toBeUndefined();
    expect((await cardOf(ai.address, owner.caller)).owner).toBe(owner.id);
  });

  test('is identical, signature included, while the viewer sees the same', async () => {
    const owner = await addPerson(home);
    const ai = await createAi(owner);
    const stranger = await addPerson(home);
    const before = await cardOf(ai.address, stranger.caller);
    await by(ai).describeMe({ text: 'for fellows alone' });
    await by(owner).updateAi({ id: printId('ai', ai.uuid), permissions: [1] });
    expect(await cardOf(ai.address, stranger.caller)).toEqual(before);
    expect(await cardOf(ai.address, robin.caller)).toEqual(before);
  });

  test('queries no groups when they make no difference', async () => {
    const owner = await addPerson(home);
    const plain = await createAi(owner);
    const asked = home.neighbours.groupQuestions;
    await cardOf(plain.address, (await addPerson(home)).caller);
    await by(robin).describeMe({ text: 'an open word' });
    expect((await cardOf(robin.address, owner.caller)).description).toBe('an open word');
    await by(plain).describeMe({ text: 'something' });
    await cardOf(plain.address, robin.caller);
    expect(home.neighbours.groupQuestions).toBe(asked);
  });

  test('is loaded again when viewer and owner come to share a group', async () => {
    const owner = await addPerson(home);
    const viewer = await addPerson(home);
    const ai = await createAi(owner);
    const told: ResponseMetadata[] = [];
    await by(viewer).getCard({ address: ai.address }, { onMetadata: (response) => told.push(response) });
    expect(told[0]!.validTopics).toEqual([
      `card:${ai.uuid}`,
      'home:keys',
      `groups:${viewer.uuid}`,
      `groups:${owner.uuid}`,
      `offers:${ai.uuid}`,
      `rules:${owner.uuid}`,
    ]);
  });
});

describe('the card of a person', () => {
  test('of an adult is visible to every signed-in viewer', async () => {
    const person = await addPerson(home, { name: 'Ada Lovelace' });
    for (const caller of [robin.caller, (await addPerson(home)).caller, appCaller(await addApp(home))]) {
      const card = await cardOf(`@${person.handle}`, caller);
      expect(isSigned(card)).toBe(true);
      expect(writeMessage(CardSchema, card)).toEqual({
        v: 1,
        type: 'card',
        home: 'hearth.example',
        address: `@${person.handle}`,
        kind: 'person',
        id: person.id,
        name: 'Ada Lovelace',
        name_verified: true,
        keys: [],
        vouched_by: [],
        reach: { mode: 'unknown' },
        accepts: [],
        issued_at: expect.any(String),
        valid_until: expect.any(String),
        signature: expect.any(Object),
      });
    }
    const guest = await addPerson(home, { guest: true });
    expect((await cardOf(`@${guest.handle}`, robin.caller)).nameVerified).toBe(false);
  });

  test('shows that they are away, and to fellow members until when and why', async () => {
    const [person, fellow] = [await addPerson(home), await addPerson(home)];
    addGroup(home, [person, fellow]);
    const answer = await by(person).setAway({ until: tomorrow(), note: 'at sea' });
    expect(answer).toMatchObject({ address: `@${person.handle}`, away: { away: true, note: 'at sea' } });
    const away = async (caller: Caller) => (await cardOf(`@${person.handle}`, caller)).away?.note;
    expect(await away(fellow.caller)).toBe('at sea');
    expect(await away(person.caller)).toBe('at sea');
    expect((await cardOf(`@${person.handle}`, robin.caller)).away).toMatchObject({ away: true });
    expect(await away(robin.caller)).toBeUndefined();
    expect((await by(person).setAway({})).away).toBeUndefined();
    expect((await cardOf(`@${person.handle}`, fellow.caller)).away).toBeUndefined();
    expect(await failure(by(appCaller(newUuid())).setAway({}))).toBe('bad_request bad_field');
  });

  test('of a person under 18 is shielded for fellow members, complete for guardians and holding apps, and otherwise not found', async () => {
    const app = await addApp(home);
    const parent = await addPerson(home);
    const [fellow, stranger] = [await addPerson(home), await addPerson(home)];
    const child = await addPerson(home, { name: 'Tim Little Berg', ageBand: 'child', guardian: parent, app });
    addGroup(home, [child, fellow]);
    await by(throughApp(child)).setAway({ until: tomorrow(), note: 'at school' });
    const address = `@${child.handle}`;
    for (const caller of [parent.caller, child.caller, throughApp(child), appCaller(app)]) {
      const card = await cardOf(address, caller);
      expect(card).toMatchObject({
        id: child.id,
        address,
        name: 'Tim Little Berg',
        away: { note: 'at school' },
      });
      expect(card.shielded).toBeUndefined();
    }
    for (const caller of [fellow.caller, stranger.caller, robin.caller, appCaller(await addApp(home))]) {
      expect(await failure(cardOf(address, caller))).toBe(hidden);
    }
    const shielded = home.shieldedFor(fellow.uuid, child.uuid);
    const card = await cardOf(shielded, fellow.caller);
    expect(isSigned(card)).toBe(true);
    expect(card).toMatchObject({
      id: shielded,
      address: shielded,
      name: 'Tim B.',
      shielded: true,
      away: { away: true },
    });
    expect(card.away!.note ?? card.away!.until).toBeUndefined();
    expect(JSON.stringify(writeMessage(CardSchema, card))).not.toContain(child.handle);
    // Another viewer's id leads nowhere, and a viewer who shares no group sees nothing.
    expect(await failure(cardOf(shielded, stranger.caller))).toBe(hidden);
    expect(await failure(cardOf(home.shieldedFor(stranger.uuid, child.uuid), stranger.caller))).toBe(hidden);
    expect(await failure(cardOf(home.shieldedFor(stranger.uuid, fellow.uuid), stranger.caller))).toBe(hidden);
    expect(await failure(cardOf(`shp_${'0'.repeat(32)}`, stranger.caller))).toBe(hidden);
  });
});

describe('the cards of groups and of their AIs', () => {
  test('are shown to members, to the group’s AI and to the app that created it', async () => {
    const app = await addApp(home);
    const [member, outsider] = [await addPerson(home), await addPerson(home)];
    const groupAi = newUuid();
    const group = addGroup(home, [member], { name: 'Book club', groupAi, app });
    const { address } = await home.fromGroups.ensureGroupAi({
      ai: groupAi,
      group: group.id,
      handle: group.handle,
      name: group.name,
      app,
    });
    const itself = { ...aiCaller(groupAi), group: group.id };
    for (const caller of [member.caller, (await createAi(member)).caller, itself, appCaller(app)]) {
      const card = await cardOf(`&${group.handle}`, caller);
      expect(isSigned(card)).toBe(true);
      expect(card).toMatchObject({
        kind: CardKind.GROUP,
        id: printId('grp', group.id),
        address: `&${group.handle}`,
        name: 'Book club',
        groupAi: printId('ai', groupAi),
        keys: [],
      });
      expect(await cardOf(address, caller)).toMatchObject({
        kind: CardKind.GROUP_AI,
        group: printId('grp', group.id),
        nameVerified: true,
        name: 'Book club (group AI)',
      });
    }
    for (const caller of [outsider.caller, robin.caller, appCaller(await addApp(home)), anyoneFrom('x')]) {
      expect(await failure(cardOf(`&${group.handle}`, caller))).toBe(hidden);
      expect(await failure(cardOf(address, caller))).toBe(hidden);
    }
    expect(await failure(cardOf('&nowhere-at-all', member.caller))).toBe(hidden);
  });
});
