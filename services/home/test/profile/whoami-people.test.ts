import { signUpAi } from '@hearth/identity/testing/ais';
import {
  addApp,
  addGroup,
  addPerson,
  appCaller,
  newUuid,
  ownedAi,
  throughApp,
} from '@hearth/identity/testing/persons';
import { aiCaller, failure } from '@hearth/identity/testing/start-identity';
import { printId } from '@hearth/ids';
import { WhoamiResponseSchema } from '@hearth/proto/identity/v1/identity';
import { writeMessage } from '@hearth/proto-json';
import type { Caller, ResponseMetadata } from '@hearth/rpc';
import { afterAll, describe, expect, test } from '@jest/globals';
import { madeAi, startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
afterAll(() => home.stop());

async function whoami(caller: Caller) {
  const told: ResponseMetadata[] = [];
  const answer = await by(caller).whoami({}, { onMetadata: (response) => told.push(response) });
  return { json: writeMessage(WhoamiResponseSchema, answer), topics: told[0]?.validTopics };
}

describe('whoami', () => {
  test('of a person shows their address, groups and pending items', async () => {
    const person = await addPerson(home, { name: 'Ada Lovelace' });
    const group = addGroup(home, [person], { name: 'Book club' });
    addGroup(home, [person], { archived: true });
    addGroup(home, [await addPerson(home)]);
    home.neighbours.unread = { count: 2 };
    const { json, topics } = await whoami(person.caller);
    home.neighbours.unread = { count: 0 };
    expect(json).toMatchObject({
      address: `@${person.handle}`,
      person: { id: person.id, address: `@${person.handle}`, name: 'Ada Lovelace' },
      your_name: 'Ada Lovelace',
      name_verified: true,
      claimed_with_link: false,
      permissions: ['read', 'notes', 'message', 'group', 'invite', 'approve'],
      groups: [{ id: printId('grp', group.id), address: `&${group.handle}`, name: 'Book club' }],
      waiting: { messages: { count: 2 } },
      limits: { claims_a_day: 5 },
      next: expect.stringMatching(/^2 unread messages wait/),
    });
    expect(json['ai'] ?? json['claim_link']).toBeUndefined();
    const named = ['whoami', 'messages', 'approvals', 'groups', 'decisions'].map(
      (topic) => `${topic}:${person.uuid}`,
    );
    expect(topics).toEqual(named);
  });

  test('of a person through their app is equal', async () => {
    const person = await addPerson(home, { app: await addApp(home), guest: true });
    expect((await whoami(throughApp(person))).json).toMatchObject({
      person: { id: person.id },
      name_verified: true,
    });
  });

  test('of a guest says that the name is not verified and how to verify it', async () => {
    const guest = await addPerson(home, { guest: true });
    expect((await whoami(guest.caller)).json).toMatchObject({
      name_verified: false,
      next: expect.stringContaining('/v0/people/me/sign-in'),
    });
  });

  test('of a person deleted meanwhile fails', async () => {
    const person = await addPerson(home);
    await home.run({
      text: 'update identity.people set deleted_at = created_at where id = $1',
      values: [person.uuid],
    });
    expect(await failure(whoami(person.caller))).toBe('not_found not_found');
  });

  test('of an app has its name and no address', async () => {
    const { json } = await whoami(appCaller(await addApp(home)));
    expect(json).toMatchObject({ your_name: 'Calendar', name_verified: true, groups: [], waiting: {} });
    expect(json['next']).toContain('Svc-Acting-For');
    expect(json['address'] ?? json['person'] ?? json['ai']).toBeUndefined();
  });

  test('of an AI with an owner shows its person and their groups', async () => {
    const person = await addPerson(home);
    const group = addGroup(home, [person]);
    const ai = await madeAi(home, person, { ownerPrivate: true });
    const { json, topics } = await whoami(ai.caller);
    expect(json).toMatchObject({
      address: ai.address,
      person: { id: person.id, address: `@${person.handle}` },
      name_verified: true,
      claimed_with_link: false,
      groups: [{ id: printId('grp', group.id) }],
      ai: { owner: person.id },
    });
    expect(json['claim_link']).toBeUndefined();
    expect(topics).toEqual(expect.arrayContaining([`groups:${person.uuid}`, `whoami:${person.uuid}`]));
  });

  test('of an AI claimed by its link shows the deadline for undoing the claim', async () => {
    const person = await addPerson(home);
    const robin = await signUpAi(home);
    await by(person).claimAi({ token: robin.claimLink });
    const claimed = ownedAi(robin.uuid, person.uuid);
    const until = new Date(home.clock.now() + 86_400_000).toISOString();
    expect((await whoami(claimed)).json).toMatchObject({
      claimed_with_link: true,
      next: expect.stringContaining(`/v0/me/not-my-person until ${until}`),
    });
    home.clock.advance(86_400_000);
    const { json } = await whoami(claimed);
    expect(json['claimed_with_link']).toBe(true);
    expect(json['next']).not.toContain('not-my-person');
  });

  test('of a client signed in as an AI shows the granted scopes', async () => {
    const person = await addPerson(home);
    const { uuid } = await madeAi(home, person);
    const client = { ...ownedAi(uuid, person.uuid, { grant: 'g' }), scopes: [1] };
    expect((await whoami(client)).json['permissions']).toEqual(['read']);
  });

  test('of the AI of a group shows that group', async () => {
    const id = newUuid();
    const group = addGroup(home, [await addPerson(home)], { groupAi: id });
    await home.fromGroups.ensureGroupAi({
      ai: id,
      group: group.id,
      handle: group.handle,
      name: group.name,
    });
    const { json } = await whoami({ ...aiCaller(id), group: group.id });
    expect(json).toMatchObject({
      groups: [{ id: printId('grp', group.id) }],
      name_verified: true,
      permissions: ['read', 'notes', 'group'],
    });
    expect(json['claim_link']).toBeUndefined();
  });
});
