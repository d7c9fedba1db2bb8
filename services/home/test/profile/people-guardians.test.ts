import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { sql } from '@hearth/db';
import { sha256 } from '@hearth/identity/testing/ais';
import {
  changesOf,
  type HeldPerson,
  heard,
  newApp,
  newPerson,
  webCaller,
} from '@hearth/identity/testing/people';
import { addGroup } from '@hearth/identity/testing/persons';
import { failure } from '@hearth/identity/testing/start-identity';
import { printId } from '@hearth/ids';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { textOf } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

let ann: HeldPerson;
let bob: HeldPerson;
let child: HeldPerson;
let teen: HeldPerson;

const home = await startWithProfile();
const { by } = home;
const app = await newApp(home);
const otherApp = await newApp(home);
afterAll(() => home.stop());
beforeEach(async () => {
  ann = await newPerson(home, app, { name: 'Ann Smith' });
  bob = await newPerson(home, app, { name: 'Bob Smith' });
  child = await newPerson(home, app, { name: 'Cy Smith', birthYearMonth: '2018-05', guardian: ann.id });
  teen = await newPerson(home, app, { name: 'Tim Smith', birthYearMonth: '2011-05', guardian: ann.id });
});

type Caller = ReturnType<typeof webCaller>;
const set = (wanted: { id?: string; guardian: string; second?: boolean }, caller: Caller) => {
  home.clock.advance(1);
  return by(caller).setGuardian({ id: child.id, ...wanted });
};
const end = (id: string, caller: Caller) => by(caller).endGuardian({ id });
const guardiansOf = async (uuid: string) =>
  (await home.fromGroups.findPeople({ ids: [uuid] })).results[0]!.facts!.guardians;

describe('set_guardian', () => {
  test('transfers the child, by the guardian or by the app', async () => {
    expect(await set({ guardian: bob.id }, webCaller(ann.uuid))).toMatchObject({ shielded: true });
    expect(await guardiansOf(child.uuid)).toEqual([bob.uuid]);
    expect((await set({ guardian: `@${ann.handle}` }, app.caller)).guardian).toBe(ann.id);
    expect(await guardiansOf(child.uuid)).toEqual([ann.uuid]);
    expect(await changesOf(home, child.uuid)).toMatchObject([
      { changed: ['guardian'], apps: [app.uuid] },
      { changed: ['guardian'] },
    ]);
    await heard(home, 'people', child.uuid);
    const consents = await home.database.db.query(sql`
      select person, method from identity.consents
      where child = ${child.uuid} and what = 'guardian' order by at, id`);
    expect(consents).toEqual([ann, bob, ann].map(({ uuid }) => ({ person: uuid, method: 'app' })));
  });

  test('revokes keys of the child’s AIs that the former guardian created', async () => {
    await by(ann.web()).updatePerson({ id: child.id, aiShare: true });
    const { ai, connectorKey } = await by(ann.web()).createAi({ name: 'Owl', person: child.id });
    const { id } = ai!;
    const rotate = async (caller: Caller) =>
      (await by(caller).rotateAiKey({ id, keepOldMinutes: 60 })).connectorKey;
    const resolve = async (key: string) => await home.client.resolveCredential({ hash: sha256(key) });
    const byAnn = await rotate(ann.web());
    // She calls with the key that she requested.
    const byHerKey = await rotate((await resolve(byAnn)).caller as Caller);
    const own = await rotate(child.web());
    await set({ guardian: bob.id }, webCaller(ann.uuid));
    await by(bob.web()).updatePerson({ id: child.id, aiShare: true });
    const byBob = await rotate(bob.web());
    const keys = [connectorKey, byAnn, byHerKey, own, byBob];
    const refusals = await Promise.all(keys.map(async (key) => (await resolve(key!)).refusal));
    expect(refusals).toEqual(['key_revoked', 'key_revoked', 'key_revoked', '', '']);
  });

  test('adds a second guardian, and never a third', async () => {
    await set({ guardian: bob.id, second: true }, webCaller(ann.uuid));
    expect(await guardiansOf(child.uuid)).toEqual([ann.uuid, bob.uuid]);
    const third = await newPerson(home, app);
    expect(await failure(set({ guardian: third.id, second: true }, webCaller(bob.uuid)))).toBe(
      'bad_request cap_reached',
    );
    // Each of the two hands over their own part.
    await set({ guardian: third.id }, webCaller(ann.uuid));
    expect(await guardiansOf(child.uuid)).toEqual([bob.uuid, third.uuid]);
    await set({ guardian: bob.id }, webCaller(third.uuid));
    expect(await guardiansOf(child.uuid)).toEqual([bob.uuid]);
  });

  test('is idempotent', async () => {
    for (const second of [false, true]) {
      expect((await set({ guardian: ann.id, second }, app.caller)).guardian).toBe(ann.id);
      expect((await set({ guardian: ann.id, second }, webCaller(ann.uuid))).guardian).toBe(ann.id);
    }
    expect(await changesOf(home, child.uuid)).toEqual([]);
  });

  test('is limited to the guardian and the app', async () => {
    const stranger = await newPerson(home, otherApp);
    expect(await failure(set({ guardian: bob.id }, webCaller(stranger.uuid)))).toBe('not_found not_found');
    expect(await failure(set({ guardian: bob.id }, otherApp.caller))).toBe('not_found not_found');
    expect(await failure(set({ guardian: bob.id }, webCaller(child.uuid)))).toBe('forbidden no_permission');
    expect(await failure(set({ guardian: bob.id }, app.actingFor(child.uuid)))).toBe(
      'forbidden no_permission',
    );
    expect(await failure(set({ guardian: bob.id }, app.actingFor(ann.uuid)))).toBe('none');
  });

  test('accepts only an adult whom the app holds, or who shares a group with the guardian', async () => {
    const elsewhere = await newPerson(home, otherApp);
    expect(await failure(set({ guardian: elsewhere.id }, app.caller))).toBe('bad_request held_elsewhere');
    expect(await failure(set({ guardian: elsewhere.id }, webCaller(ann.uuid)))).toBe(
      'bad_request held_elsewhere',
    );
    for (const guardian of [teen.id, child.id, '@nobody-here', 'x']) {
      expect(await failure(set({ guardian }, app.caller))).toBe('bad_request bad_field');
    }
    addGroup(home, [ann, elsewhere]);
    expect(await failure(set({ guardian: elsewhere.id }, app.caller))).toBe('bad_request held_elsewhere');
    expect(await failure(set({ guardian: elsewhere.id }, webCaller(ann.uuid)))).toBe('none');
    expect((await changesOf(home, child.uuid))[0]!.apps.toSorted()).toEqual(
      [app.uuid, otherApp.uuid].toSorted(),
    );
  });

  test('is for people under 18', async () => {
    expect(await failure(set({ id: bob.id, guardian: ann.id }, app.caller))).toBe('bad_request bad_field');
  });

  test('admits only one of two guardians added concurrently', async () => {
    const adults = await Promise.all([1, 2, 3, 4].map(() => newPerson(home, app)));
    const results = await Promise.all(
      adults.map(({ id }) => failure(set({ guardian: id, second: true }, app.caller))),
    );
    expect(results.toSorted()).toEqual([...Array(3).fill('bad_request cap_reached'), 'none']);
    expect((await guardiansOf(child.uuid)).length).toBe(2);
  });

  test('leaves one or two guardians after concurrent calls, never none', async () => {
    const third = await newPerson(home, app);
    await Promise.all([
      set({ guardian: bob.id }, app.caller),
      set({ guardian: third.id }, app.caller),
      set({ guardian: bob.id, second: true }, app.caller).catch(() => {}),
    ]);
    const guardians = await guardiansOf(child.uuid);
    expect(guardians.length).toBeGreaterThanOrEqual(1);
    expect(guardians.length).toBeLessThanOrEqual(2);
  });
});

describe('end_guardian', () => {
  test.each([
    ['teenager', () => teen, () => ann, 'guardian', 'child'],
    ['guardian', () => ann, () => teen, 'child', 'guardian'],
  ])('ends when both have agreed, the %s first', async (_, first, second, waitingFor) => {
    const guardian = webCaller(first().uuid);
    expect(await end(teen.id, guardian)).toMatchObject({ ended: false, waitingFor: [waitingFor] });
    expect(await end(teen.id, guardian)).toMatchObject({ ended: false, waitingFor: [waitingFor] });
    expect(await guardiansOf(teen.uuid)).toEqual([ann.uuid]);
    expect(await changesOf(home, teen.uuid)).toEqual([]);
    const other = app.actingFor(second().uuid);
    expect(await end(teen.id, other)).toMatchObject({ ended: true, waitingFor: [] });
    expect(await guardiansOf(teen.uuid)).toEqual([]);
    expect((await changesOf(home, teen.uuid)).map(({ changed }) => changed)).toEqual([['guardian']]);
    // Repeating it returns the same, even for a guardian who can no longer see the teenager.
    for (const caller of [guardian, other]) expect((await end(teen.id, caller)).ended).toBe(true);
  });

  test('revokes what the last guardian allowed', async () => {
    await by(webCaller(ann.uuid)).updatePerson({ id: teen.id, aiShare: true });
    await end('me', webCaller(teen.uuid));
    await end(teen.id, webCaller(ann.uuid));
    expect((await changesOf(home, teen.uuid)).at(-1)!.changed).toEqual(['guardian', 'ai_share']);
  });

  test('with two guardians ends that of the one who agrees', async () => {
    await set({ id: teen.id, guardian: bob.id, second: true }, webCaller(ann.uuid));
    expect((await end(teen.id, webCaller(ann.uuid))).waitingFor).toEqual(['child']);
    expect(await end('me', webCaller(teen.uuid))).toMatchObject({ ended: false, waitingFor: ['guardian'] });
    expect(await guardiansOf(teen.uuid)).toEqual([bob.uuid]);
    expect((await end(teen.id, webCaller(bob.uuid))).ended).toBe(true);
  });

  test('is refused under 13, where only a transfer is possible', async () => {
    expect(await failure(end(child.id, webCaller(ann.uuid)))).toBe('bad_request guardian_needed');
    // A held child cannot act; a guarded child gets the same answer.
    expect(await failure(end('me', webCaller(child.uuid)))).toBe('bad_request guardian_needed');
  });

  test('needs the consent of both themselves', async () => {
    expect(await failure(end(teen.id, app.caller))).toBe('bad_request bad_field');
    expect(await failure(end(teen.id, webCaller(bob.uuid)))).toBe('not_found not_found');
    expect(await failure(end(ann.id, webCaller(ann.uuid)))).toBe('bad_request bad_field');
  });

  test('called by both concurrently ends it once', async () => {
    await Promise.all([end(teen.id, webCaller(ann.uuid)), end('me', webCaller(teen.uuid))]);
    expect(await guardiansOf(teen.uuid)).toEqual([]);
    expect((await changesOf(home, teen.uuid)).length).toBe(1);
  });
});

describe('guardian_view', () => {
  const view = (id: string, caller: Caller) => by(caller).guardianView({ id });

  test('shows groups, contacts and AIs; other people’s children stay shielded', async () => {
    const group = addGroup(home, [child], { handle: 'club', name: 'Club' });
    addGroup(home, [child], { handle: 'old', name: 'Old', archived: true });
    const joinedAt = timestampFromDate(nowDate(home.clock));
    const friend = await newPerson(home, otherApp, { name: 'Flo Friend', birthYearMonth: '2009-01' });
    const robot = home.ids.uuid();
    const lastAt = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });
    home.neighbours.contactsOf.set(child.uuid, {
      contacts: [
        { id: friend.uuid, address: `@${friend.handle}`, name: 'Flo Friend', lastAt: lastAt(30) },
        { id: robot, address: '@free-abcdef.ai-robot', name: 'Robot', lastAt: lastAt(20) },
        { id: ann.uuid, address: `@${ann.handle}`, name: 'Ann', lastAt: lastAt(10) },
      ],
    });
    home.neighbours.answeredFor.set(child.uuid, [{ title: 'May she come along?' }]);
    const seen = await view(child.id, webCaller(ann.uuid));
    expect(seen.person).toMatchObject({ id: child.id, name: 'Cy Smith' });
    expect(seen.groups).toMatchObject([
      { id: printId('grp', group.id), address: '&club', name: 'Club', joinedAt, archived: false },
      { address: '&old', name: 'Old', archived: true },
    ]);
    expect(seen.contacts.map(({ address, name }) => [address, name])).toEqual([
      [expect.stringMatching(/^shp_[0-9a-f]{32}$/), 'Flo F.'],
      ['@free-abcdef.ai-robot', 'Robot'],
      [`@${ann.handle}`, 'Ann Smith'],
    ]);
    expect(textOf(seen.contacts)).not.toContain(friend.handle);
    expect(seen.approvals).toMatchObject([{ title: 'May she come along?' }]);
    expect((await view(child.id, app.actingFor(ann.uuid))).person?.id).toBe(child.id);
  });

  test('is limited to the guardian', async () => {
    expect(await failure(view(child.id, app.caller))).toBe('bad_request bad_field');
    expect(await failure(view('me', webCaller(child.uuid)))).toBe('forbidden no_permission');
    expect(await failure(view(child.id, webCaller(bob.uuid)))).toBe('not_found not_found');
    expect(await failure(view(ann.id, webCaller(ann.uuid)))).toBe('forbidden no_permission');
  });
});

test('an app that holds a child under 13 without a guardian acts for them, and names a guardian', async () => {
  await home.run(sql`delete from identity.guardianships where child = ${child.uuid}`);
  const rename = (caller: Caller) => by(caller).updatePerson({ id: child.id, name: 'Cy' });
  expect(await failure(rename(webCaller(ann.uuid)))).toBe('not_found not_found');
  expect(await failure(rename(app.caller))).toBe('none');
  expect((await set({ guardian: bob.id }, app.caller)).guardian).toBe(bob.id);
  expect(await failure(rename(app.actingFor(child.uuid)))).toBe('none');
  expect(teen.person.ageBand).toBe(AgeBand.TEEN13);
});
