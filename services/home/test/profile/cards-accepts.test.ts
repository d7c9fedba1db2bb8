import { signUpAi } from '@hearth/identity/testing/ais';
import { addApp, addGroup, addPerson, type TestPerson, throughApp } from '@hearth/identity/testing/persons';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { type Card, CardSchema } from '@hearth/proto/identity/v1/resources';
import { writeMessage } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { madeAi, startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
const robin = await signUpAi(home);
afterAll(() => home.stop());
beforeEach(() => {
  home.peers.calls.length = 0;
});

const { PERSONAL, OFFER } = RequestKind;
const accepts = async (address: string, caller: Caller) =>
  (
    writeMessage(CardSchema, (await by(caller).getCard({ address })) as Card) as {
      accepts: string[];
    }
  ).accepts;

const createAi = async (person: TestPerson, more?: object) => (await madeAi(home, person, more)).address;

describe('what a person accepts', () => {
  test('is on their card and on those of their AIs, equal for every viewer', async () => {
    const [person, stranger, fellow] = [await addPerson(home), await addPerson(home), await addPerson(home)];
    addGroup(home, [person, fellow]);
    home.neighbours.accepts.set(person.uuid, [PERSONAL, OFFER]);
    const ai = await createAi(person);
    for (const address of [`@${person.handle}`, ai]) {
      for (const { caller } of [stranger, fellow, person, robin])
        expect(await accepts(address, caller)).toEqual(['personal', 'offer']);
    }
    expect(new Set(home.neighbours.acceptedFor)).toEqual(new Set([person.uuid]));
  });

  test('is hidden on the AI of a private owner, since two cards that change together would name the owner', async () => {
    const [person, stranger] = [await addPerson(home), await addPerson(home)];
    home.neighbours.accepts.set(person.uuid, [PERSONAL]);
    const ai = await createAi(person, { ownerPrivate: true });
    expect(await accepts(ai, stranger.caller)).toBeUndefined();
    expect(home.neighbours.acceptedFor).toEqual([]);
    expect(await accepts(ai, person.caller)).toEqual(['personal']);
  });

  test('is everything for an AI without an owner, which has no rules', async () => {
    expect(await accepts(robin.address, (await addPerson(home)).caller)).toHaveLength(6);
    expect(home.neighbours.acceptedFor).toEqual([]);
  });

  test('is hidden for minors and their AIs, even from viewers who can see them', async () => {
    const [app, parent] = [await addApp(home), await addPerson(home)];
    const child = await addPerson(home, { ageBand: 'child', guardian: parent, app });
    home.neighbours.accepts.set(child.uuid, [PERSONAL]);
    for (const caller of [parent.caller, throughApp(child)])
      expect(await accepts(`@${child.handle}`, caller)).toEqual([]);
    expect(home.neighbours.acceptedFor).toEqual([]);
  });
});
