import { sql } from '@hearth/db';
import { sha256, signUpAi } from '@hearth/identity/testing/ais';
import {
  addApp,
  addGroup,
  addPerson,
  appCaller,
  newUuid,
  type TestPerson,
  throughApp,
} from '@hearth/identity/testing/persons';
import { aiCaller, failure, operator } from '@hearth/identity/testing/start-identity';
import { parseId, printId } from '@hearth/ids';
import { Proof } from '@hearth/proto/common/v1/caller';
import { Platform } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { addGrant, madeAi, startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
const ann = await addPerson(home, { handle: 'ann' });
afterAll(() => home.stop());

const day = 86_400_000;

const createAi = (person: TestPerson, name = 'Helper', more: object = {}) =>
  madeAi(home, person, { name, ...more });

describe('creating an AI', () => {
  test('gives it an address under its person, the default permissions, and a working key, shown once', async () => {
    const bea = await addPerson(home, { handle: 'bea' });
    const answer = await by(bea).createAi({ name: 'My Helper', platform: Platform.CLAUDE });
    const { caller } = await home.client.resolveCredential({ hash: sha256(answer.connectorKey!) });
    expect(caller).toMatchObject({ id: parseId('ai', answer.ai!.id), person: bea.uuid });
    const last = (await home.announced('aiCreated')).at(-1)!;
    expect(last.data.value).toMatchObject({
      ai: { address: '@bea.ai-my-helper', owner: bea.uuid, ownerPrivate: false },
      apps: [],
    });
    expect(last.by).toMatchObject({ id: bea.uuid });
  });

  test('numbers a repeated name of the same person, even concurrently', async () => {
    const cleo = await addPerson(home, { handle: 'cleo' });
    const made = await Promise.all(Array.from({ length: 12 }, () => createAi(cleo, 'Twin!')));
    const addresses = made.map(({ address }) => address).sort();
    const numbers = ['', ...Array.from({ length: 11 }, (_, index) => `-${index + 2}`)];
    expect(addresses).toEqual(numbers.map((suffix) => `@cleo.ai-twin${suffix}`).sort());
  });

  test('with a request_id happens once, and shows the key once', async () => {
    const request = { name: 'Once', requestId: 'r1' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => by(ann).createAi(request)));
    expect(new Set(answers.map(({ ai }) => ai!.id)).size).toBe(1);
    expect(answers.filter(({ connectorKey }) => connectorKey !== undefined)).toHaveLength(1);
    expect(await failure(by(ann).createAi({ ...request, name: 'Other' }))).toBe(
      'bad_request request_id_reused',
    );
  });

  test('with permission to approve needs proof from the last ten minutes, by email or passkey, or confirmation in the app', async () => {
    const app = await addApp(home);
    const dora = await addPerson(home, { app });
    const approving = { name: 'Yes', permissions: [Scope.APPROVE, Scope.READ, Scope.READ] };
    const asks = (caller: TestPerson['caller']) => by(caller).createAi(approving);
    const at = (minutes: number) => BigInt(home.clock.now() - minutes * 60_000);
    expect((await asks(dora.caller)).ai!.permissions).toEqual([Scope.READ, Scope.APPROVE]);
    expect(await failure(asks({ ...dora.caller, authenticatedAt: at(11) }))).toBe('forbidden needs_person');
    expect(await failure(asks({ ...dora.caller, authenticatedAt: 0n }))).toBe('forbidden needs_person');
    await asks({ ...dora.caller, authenticatedAt: at(10) });
    const byPasskey = { ...dora.caller, proof: Proof.PASSKEY };
    expect(await failure(asks({ ...byPasskey, authenticatedAt: at(11) }))).toBe('forbidden needs_person');
    await asks({ ...byPasskey, authenticatedAt: at(10) });
    await asks(throughApp(dora));
  });

  test('is reserved to the person', async () => {
    const ai = await createAi(ann, 'Asker');
    const asks = (caller: TestPerson['caller']) => by(caller).createAi({ name: 'X' });
    expect(await failure(asks(ai.caller))).toBe('forbidden needs_person');
    expect(await failure(asks(appCaller(newUuid())))).toBe('bad_request bad_field');
    expect(await failure(asks((await addPerson(home, { guest: true })).caller))).toBe(
      'forbidden no_permission',
    );
  });

  test('is limited per person', async () => {
    const eve = await addPerson(home);
    await Promise.all(Array.from({ length: 50 }, (_, index) => createAi(eve, `Number ${index}`)));
    expect(await failure(createAi(eve, 'More'))).toBe('bad_request cap_reached');
    const [first] = (await by(eve).listAis({})).ais;
    await by(eve).revokeAi({ id: first!.ai!.id });
    await createAi(eve, 'More');
  });

  test.each(['', '   ', 'x'.repeat(41), 'admin', '@ann', 'see https://x.example'])(
    'with the name %j is refused',
    async (name) => {
      expect(await failure(createAi(ann, name))).toBe('bad_request bad_field');
    },
  );
});

describe('the AI of a person under 18', () => {
  test('is created by their guardian or the app that holds them, where AIs may act for them', async () => {
    const app = await addApp(home);
    const parent = await addPerson(home);
    const child = await addPerson(home, { ageBand: 'child', guardian: parent, app, aiShare: true });
    const other = await addPerson(home);
    const asks = (caller: TestPerson['caller'], person?: string) =>
      by(caller).createAi({ name: 'Tutor', ...(person !== undefined && { person }) });
    expect(await failure(asks(child.caller))).toBe('forbidden guardian_needed');
    expect(await failure(asks(other.caller, child.id))).toBe('not_found not_found');
    expect(await failure(asks(other.caller, `@${child.handle}`))).toBe('not_found not_found');
    expect(await failure(asks(ann.caller, parent.id))).toBe('not_found not_found');
    const byParent = await asks(parent.caller, child.id);
    expect(byParent.ai).toMatchObject({ owner: child.id, address: `@${child.handle}.ai-tutor` });
    expect((await asks(throughApp(child))).ai!.owner).toBe(child.id);
    const held = await addPerson(home, { ageBand: 'teen16', guardian: parent });
    expect(await failure(asks(parent.caller, held.id))).toBe('forbidden guardian_needed');
  });

  test('is managed by their guardian, and is invisible to others', async () => {
    const parent = await addPerson(home);
    const child = await addPerson(home, { ageBand: 'teen13', guardian: parent, aiShare: true });
    const { ai } = await by(parent).createAi({ name: 'Coach', person: child.id });
    const id = ai!.id;
    addGroup(home, [child, ann]);
    expect(await failure(by(ann).getAi({ id }))).toBe('not_found not_found');
    expect(await failure(by(ann).getCard({ address: ai!.address }))).toBe('not_found not_found');
    expect((await by(parent).getCard({ address: ai!.address })).owner).toBe(child.id);
    expect(await failure(by(child).updateAi({ id, permissions: [Scope.GROUP] }))).toBe(
      'forbidden guardian_needed',
    );
    const raised = await by(parent).updateAi({ id, permissions: [Scope.GROUP] });
    expect(raised.permissions).toEqual([Scope.GROUP]);
    expect((await by(child).revokeAi({ id })).revoked).toBe(true);
  });
});

describe('the list of AIs', () => {
  test("shows the person's own AIs, newest first, with keys and the day of last use, in pages", async () => {
    const fay = await addPerson(home);
    const made = [];
    for (const name of ['One', 'Two', 'Three']) made.push(await createAi(fay, name));
    await home.client.noteSeen({
      sightings: [{ ai: made[2]!.uuid, checkedAt: BigInt(home.clock.now()), waitedAt: 0n }],
    });
    const first = await by(fay).listAis({ limit: 2 });
    expect(first.ais.map(({ ai }) => ai!.name)).toEqual(['Three', 'Two']);
    expect(first.ais[0]).toMatchObject({
      lastSeen: '2026-03-01',
      keys: [{ prefix: expect.stringMatching(/^hearth_ai_.{4}$/) }],
    });
    expect(first.ais[1]!.lastSeen).toBeUndefined();
    const second = await by(fay).listAis({ limit: 2, cursor: first.nextCursor });
    expect(second.ais.map(({ ai }) => ai!.name)).toEqual(['One']);
    expect(second.nextCursor).toBeUndefined();
    expect(await failure(by(fay).listAis({ cursor: 'x' }))).toBe('bad_request bad_field');
  });

  test("shows an AI its person's AIs, with its own keys only", async () => {
    const gil = await addPerson(home);
    const one = await createAi(gil, 'One');
    await createAi(gil, 'Two');
    const { ais } = await by(one).listAis({});
    expect(ais.map(({ ai, keys }) => [ai!.name, keys.length])).toEqual([
      ['Two', 0],
      ['One', 1],
    ]);
  });

  test('of an AI without an owner contains the AI itself', async () => {
    const robin = await signUpAi(home);
    const { ais } = await by(robin).listAis({});
    expect(ais.map(({ ai }) => ai!.id)).toEqual([robin.id]);
  });

  test('of an app has the AIs of the people and groups that it holds', async () => {
    const app = await addApp(home);
    const hal = await addPerson(home, { app });
    const ai = await createAi(hal, 'Held');
    const groupAi = newUuid();
    await home.fromGroups.ensureGroupAi({
      ai: groupAi,
      group: newUuid(),
      handle: 'held',
      name: 'Held',
      app,
    });
    const { ais } = await by(appCaller(app)).listAis({});
    expect(ais.map(({ ai: each }) => each!.id).sort()).toEqual([ai.id, printId('ai', groupAi)].sort());
    expect((await by(appCaller(await addApp(home))).listAis({})).ais).toEqual([]);
  });
});

describe('an AI as seen by others', () => {
  test('shows permissions and a private owner only to those closest to the AI', async () => {
    const ivy = await addPerson(home);
    const ai = await createAi(ivy, 'Quiet', { ownerPrivate: true });
    const sibling = await createAi(ivy, 'Sibling');
    const asked = async (caller: TestPerson['caller'], id = ai.id) => {
      const { owner, permissions } = await by(caller).getAi({ id });
      return [owner, permissions.length];
    };
    expect(await asked(ivy.caller)).toEqual([ivy.id, 2]);
    expect(await asked(ai.caller, 'me')).toEqual([ivy.id, 2]);
    expect(await asked(sibling.caller, ai.address)).toEqual([ivy.id, 2]);
    expect(await asked(ann.caller)).toEqual([undefined, 0]);
    expect(await asked((await signUpAi(home)).caller)).toEqual([undefined, 0]);
    expect(await asked(ann.caller, sibling.address)).toEqual([ivy.id, 0]);
  });

  test.each(['ai_00000000000000000000000000000000', '@ann.ai-nobody', 'nonsense', '@ann', '&ann'])(
    '%s is not found',
    async (id) => {
      expect(await failure(by(ann).getAi({ id }))).toBe('not_found not_found');
    },
  );
});

describe('changing an AI', () => {
  test('with a new name moves it; the former address redirects for 90 days and is given to nobody else', async () => {
    const jo = await addPerson(home, { handle: 'jo-may' });
    const ai = await createAi(jo, 'Old');
    const moved = await by(jo).updateAi({ id: ai.id, name: 'New' });
    expect(moved).toMatchObject({ name: 'New', address: '@jo-may.ai-new' });
    const at = async (address: string) =>
      (await home.fromMessages.findProfiles({ addresses: [address] })).results[0]!.profile?.address;
    expect(await at('@jo-may.ai-old')).toBe('@jo-may.ai-new');
    const now = home.clock.now();
    home.clock.advance(90 * day);
    expect(await at('@jo-may.ai-old')).toBeUndefined();
    expect(await at('@jo-may.ai-new')).toBe('@jo-may.ai-new');
    expect((await createAi(jo, 'Old')).address).toBe('@jo-may.ai-old-2');
    home.clock.set(new Date(now));
    const back = await by(jo).updateAi({ id: ai.id, name: 'Old' });
    expect(back.address).toBe('@jo-may.ai-old');
    const row = await home.database.db.one<{ ends: Date | null }>(
      sql`select ends_at as ends from identity.addresses where address = '@jo-may.ai-old'`,
    );
    expect(row.ends).toBeNull();
  });

  test('a name of the same letters keeps the address', async () => {
    const ai = await createAi(ann, 'Zoe');
    const renamed = await by(ann).updateAi({ id: ai.id, name: 'Zoë!' });
    expect(renamed).toMatchObject({ name: 'Zoë!', address: ai.address });
  });

  test('is announced with its changes to gateways, and the same values change nothing', async () => {
    const ai = await createAi(ann, 'Told');
    const signals = home.signals('credentials');
    const change = { id: ai.id, permissions: [Scope.MESSAGE, Scope.READ, Scope.NOTES], ownerPrivate: true };
    const before = (await home.announced('aiChanged')).length;
    await by(ann).updateAi(change);
    const changed = await by(ann).updateAi(change);
    expect(changed.permissions).toEqual([Scope.READ, Scope.NOTES, Scope.MESSAGE]);
    const events = (await home.announced('aiChanged')).slice(before);
    expect(events.map(({ data }) => data.value)).toMatchObject([
      { ai: ai.uuid, changed: ['address', 'permissions', 'owner_private'], owner: ann.uuid },
    ]);
    expect(events[0]!.topics).toEqual([`card:${ai.uuid}`, `whoami:${ai.uuid}`]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(signals.filter((id) => id === ai.uuid)).toHaveLength(1);
  });

  test('needs fresh proof to grant approving, but not to keep it', async () => {
    const ai = await createAi(ann, 'Approver', { permissions: [Scope.READ, Scope.APPROVE] });
    const stale = { ...ann.caller, authenticatedAt: 1n };
    await by(stale).updateAi({ id: ai.id, permissions: [Scope.APPROVE] });
    await by(stale).updateAi({ id: ai.id, permissions: [Scope.READ] });
    expect(await failure(by(stale).updateAi({ id: ai.id, permissions: [Scope.APPROVE] }))).toBe(
      'forbidden needs_person',
    );
  });

  test('is for its owner and the app that holds them', async () => {
    const app = await addApp(home);
    const kim = await addPerson(home, { app });
    const ai = await createAi(kim, 'Mine');
    const rename = (caller: TestPerson['caller'], name: string) =>
      failure(by(caller).updateAi({ id: ai.id, name }));
    expect(await rename(ann.caller, 'Stolen')).toBe('not_found not_found');
    expect(await rename(ai.caller, 'Stolen')).toBe('forbidden needs_person');
    expect(await rename(appCaller(await addApp(home)), 'Stolen')).toBe('not_found not_found');
    expect(await rename(appCaller(app), 'By the app')).toBe('none');
    expect(await rename(throughApp(kim), 'For Kim')).toBe('none');
    await by(kim).revokeAi({ id: ai.id });
    expect(await rename(kim.caller, 'Too late')).toBe('not_found not_found');
  });
});

describe('keys and the end of an AI', () => {
  test('its owner and the app that holds them rotate keys and switch it off', async () => {
    const app = await addApp(home);
    const lea = await addPerson(home, { app });
    const ai = await createAi(lea, 'Keyed');
    for (const caller of [lea.caller, appCaller(app), ai.caller]) {
      const { connectorKey } = await by(caller).rotateAiKey({ id: ai.id });
      const { caller: found } = await home.client.resolveCredential({ hash: sha256(connectorKey) });
      expect(found?.id).toBe(ai.uuid);
    }
    expect(await failure(by(ann).rotateAiKey({ id: ai.id }))).toBe('not_found not_found');
    expect(await failure(by(ann).revokeAi({ id: ai.id }))).toBe('not_found not_found');
    const revoked = await by(appCaller(app)).revokeAi({ id: ai.id, reason: 'done' });
    expect(revoked.revoked).toBe(true);
    expect((await home.announced('aiRevoked')).at(-1)!.data.value).toMatchObject({
      ai: ai.uuid,
      reason: 'done',
      owner: lea.uuid,
      address: ai.address,
      apps: [app],
    });
  });

  test('revokes its sign-ins', async () => {
    const ai = await createAi(ann, 'Signed in');
    const other = await createAi(ann, 'Also signed in');
    await addGrant(home, ai.uuid, ann.uuid, 'grant-1');
    await addGrant(home, other.uuid, ann.uuid, 'grant-2');
    await by(ann).revokeAi({ id: ai.id });
    const grants = await home.database.db.query<{ id: string; ended: boolean; objects: number }>(sql`
      select g.id, g.ended_at is not null as ended,
        (select count(*) from identity.oauth_objects o where o.grant_id = g.id) as objects
      from identity.oauth_grants g order by g.id`);
    expect(grants).toEqual([
      { id: 'grant-1', ended: true, objects: 0 },
      { id: 'grant-2', ended: false, objects: 1 },
    ]);
  });
});

describe('the AI of a group', () => {
  const group = newUuid();
  const ai = newUuid();

  test('is created once, however often it is requested', async () => {
    const app = await addApp(home);
    const request = { ai, group, handle: 'book-club', name: 'Book club', app };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => home.fromGroups.ensureGroupAi(request)),
    );
    expect(answers.map(({ address }) => address)).toEqual(answers.map(() => '&book-club.ai-group'));
    const { results } = await home.fromGroups.findAis({ ids: [newUuid(), ai, 'nonsense'] });
    expect(results.map(({ facts }) => facts?.address)).toEqual([undefined, '&book-club.ai-group', undefined]);
    expect(results[1]!.facts).toMatchObject({ group, owner: '', name: 'Book club (group AI)' });
    const shown = await by(aiCaller(ai)).getAi({ id: 'me' });
    expect(shown).toMatchObject({
      permissions: [Scope.READ, Scope.NOTES, Scope.GROUP],
      group: printId('grp', group),
    });
    expect(shown.owner).toBeUndefined();
    const keys = await home.database.db.query(sql`select id from identity.keys where ai = ${ai}`);
    expect(keys).toEqual([]);
  });

  test('has no key, and ends with its group or by the operator', async () => {
    const itself = aiCaller(ai);
    expect(await failure(by(itself).rotateAiKey({ id: 'me' }))).toMatch(/^bad_request/);
    expect(await failure(by(itself).revokeAi({ id: 'me' }))).toMatch(/^bad_request/);
    const { revoked } = await by(operator).revokeAi({ id: printId('ai', ai) });
    expect(revoked).toBe(true);
  });
});
