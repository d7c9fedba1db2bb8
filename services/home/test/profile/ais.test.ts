import { sql } from '@hearth/db';
import { failure, sha256, signUpAi } from '@hearth/identity/testing/ais';
import {
  addApp,
  addGroup,
  addPerson,
  announced,
  appCaller,
  newUuid,
  ownedAi,
  type TestPerson,
  throughApp,
} from '@hearth/identity/testing/persons';
import { aiCaller, operator } from '@hearth/identity/testing/start-identity';
import { parseId, printId } from '@hearth/ids';
import { Proof } from '@hearth/proto/common/v1/caller';
import { AiSchema, Platform } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const ann = await addPerson(home, { handle: 'ann' });
afterAll(() => home.stop());

const day = 86_400_000;

async function createAi(person: TestPerson, name = 'Helper', more: object = {}) {
  // Ids are in the order of time.
  home.clock.advance(1);
  const { ai } = await home.ais.createAi({ name, ...more }, { caller: person.caller });
  const uuid = parseId('ai', ai!.id)!;
  return { ...ai!, uuid, caller: ownedAi(uuid, person.uuid) };
}

describe('making an AI', () => {
  test('gives it an address under its person, the usual permissions, and a key that works, once', async () => {
    const bea = await addPerson(home, { handle: 'bea' });
    const answer = await home.ais.createAi(
      { name: 'My Helper', platform: Platform.CLAUDE },
      { caller: bea.caller },
    );
    expect(writeMessage(AiSchema, answer.ai!)).toMatchObject({
      address: '@bea.ai-my-helper',
      name: 'My Helper',
      platform: 'claude',
      owner: bea.id,
      owner_private: false,
      status: 'claimed',
      permissions: ['read', 'message'],
      revoked: false,
    });
    const { caller } = await home.client.resolveCredential({ hash: sha256(answer.connectorKey!) });
    expect(caller).toMatchObject({ id: parseId('ai', answer.ai!.id), person: bea.uuid });
    const last = (await announced(home, 'ai_created')).at(-1)!;
    expect(last.data.value).toMatchObject({
      ai: { address: '@bea.ai-my-helper', owner: bea.uuid, ownerPrivate: false },
      apps: [],
    });
    expect(last.by).toMatchObject({ id: bea.uuid });
  });

  test('numbers a name that a person uses again, also when many are made at once', async () => {
    const cleo = await addPerson(home, { handle: 'cleo' });
    const made = await Promise.all(Array.from({ length: 12 }, () => createAi(cleo, 'Twin!')));
    const addresses = made.map(({ address }) => address).sort();
    const numbers = ['', ...Array.from({ length: 11 }, (_, index) => `-${index + 2}`)];
    expect(addresses).toEqual(numbers.map((suffix) => `@cleo.ai-twin${suffix}`).sort());
  });

  test('with a request_id happens once, and shows the key once', async () => {
    const request = { name: 'Once', requestId: 'r1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => home.ais.createAi(request, { caller: ann.caller })),
    );
    expect(new Set(answers.map(({ ai }) => ai!.id)).size).toBe(1);
    expect(answers.filter(({ connectorKey }) => connectorKey !== undefined)).toHaveLength(1);
    expect(await failure(home.ais.createAi({ ...request, name: 'Other' }, { caller: ann.caller }))).toBe(
      'bad_request request_id_reused',
    );
  });

  test('that may approve needs a proof of the last ten minutes, a passkey, or the tap in the app', async () => {
    const app = await addApp(home);
    const dora = await addPerson(home, { app });
    const approving = { name: 'Yes', permissions: [Scope.APPROVE, Scope.READ, Scope.READ] };
    const asks = (caller: TestPerson['caller']) => home.ais.createAi(approving, { caller });
    const at = (minutes: number) => BigInt(home.clock.now() - minutes * 60_000);
    expect((await asks(dora.caller)).ai!.permissions).toEqual([Scope.READ, Scope.APPROVE]);
    expect(await failure(asks({ ...dora.caller, authenticatedAt: at(11) }))).toBe('forbidden needs_person');
    expect(await failure(asks({ ...dora.caller, authenticatedAt: 0n }))).toBe('forbidden needs_person');
    await asks({ ...dora.caller, authenticatedAt: at(10) });
    await asks({ ...dora.caller, authenticatedAt: at(5_000), proof: Proof.PASSKEY });
    await asks(throughApp(dora));
  });

  test('is a person’s own act', async () => {
    const ai = await createAi(ann, 'Asker');
    const asks = (caller: TestPerson['caller']) => home.ais.createAi({ name: 'X' }, { caller });
    expect(await failure(asks(ai.caller))).toBe('forbidden needs_person');
    expect(await failure(asks(appCaller(newUuid())))).toBe('bad_request bad_field');
    expect(await failure(asks((await addPerson(home, { guest: true })).caller))).toBe(
      'forbidden no_permission',
    );
  });

  test('has a bound for each person', async () => {
    const eve = await addPerson(home);
    await Promise.all(Array.from({ length: 50 }, (_, index) => createAi(eve, `Number ${index}`)));
    expect(await failure(createAi(eve, 'More'))).toBe('bad_request cap_reached');
    const [first] = (await home.ais.listAis({}, { caller: eve.caller })).ais;
    await home.client.revokeAi({ id: first!.ai!.id }, { caller: eve.caller });
    await createAi(eve, 'More');
  });

  test.each(['', '   ', 'x'.repeat(41), 'admin', '@ann', 'see https://x.example'])(
    'with the name %j is refused',
    async (name) => {
      expect(await failure(createAi(ann, name))).toBe('bad_request bad_field');
    },
  );
});

describe('the AI of somebody under 18', () => {
  test('is made by their guardian or the app that holds them, where AIs may act for them', async () => {
    const app = await addApp(home);
    const parent = await addPerson(home);
    const child = await addPerson(home, { ageBand: 'child', guardian: parent, app, aiShare: true });
    const other = await addPerson(home);
    const asks = (caller: TestPerson['caller'], person?: string) =>
      home.ais.createAi({ name: 'Tutor', ...(person !== undefined && { person }) }, { caller });
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

  test('is settled by their guardian, and looks to others as if it were not there', async () => {
    const parent = await addPerson(home);
    const child = await addPerson(home, { ageBand: 'teen13', guardian: parent, aiShare: true });
    const { ai } = await home.ais.createAi({ name: 'Coach', person: child.id }, { caller: parent.caller });
    const id = ai!.id;
    addGroup(home, [child, ann]);
    expect(await failure(home.ais.getAi({ id }, { caller: ann.caller }))).toBe('not_found not_found');
    expect(await failure(home.client.getCard({ address: ai!.address }, { caller: ann.caller }))).toBe(
      'not_found not_found',
    );
    expect((await home.client.getCard({ address: ai!.address }, { caller: parent.caller })).owner).toBe(
      child.id,
    );
    expect(
      await failure(home.ais.updateAi({ id, permissions: [Scope.GROUP] }, { caller: child.caller })),
    ).toBe('forbidden guardian_needed');
    const raised = await home.ais.updateAi({ id, permissions: [Scope.GROUP] }, { caller: parent.caller });
    expect(raised.permissions).toEqual([Scope.GROUP]);
    expect((await home.client.revokeAi({ id }, { caller: child.caller })).revoked).toBe(true);
  });
});

describe('the list of AIs', () => {
  test('is a person’s own, the newest first, with keys and the last day seen, page by page', async () => {
    const fay = await addPerson(home);
    const made = [];
    for (const name of ['One', 'Two', 'Three']) made.push(await createAi(fay, name));
    await home.client.noteSeen({
      sightings: [{ ai: made[2]!.uuid, checkedAt: BigInt(home.clock.now()), waitedAt: 0n }],
    });
    const first = await home.ais.listAis({ limit: 2 }, { caller: fay.caller });
    expect(first.ais.map(({ ai }) => ai!.name)).toEqual(['Three', 'Two']);
    expect(first.ais[0]).toMatchObject({
      lastSeen: '2026-03-01',
      keys: [{ prefix: expect.stringMatching(/^hearth_ai_.{4}$/) }],
    });
    expect(first.ais[1]!.lastSeen).toBeUndefined();
    const second = await home.ais.listAis({ limit: 2, cursor: first.nextCursor }, { caller: fay.caller });
    expect(second.ais.map(({ ai }) => ai!.name)).toEqual(['One']);
    expect(second.nextCursor).toBeUndefined();
    expect(await failure(home.ais.listAis({ cursor: 'x' }, { caller: fay.caller }))).toBe(
      'bad_request bad_field',
    );
  });

  test('shows an AI its person’s AIs with its own keys alone', async () => {
    const gil = await addPerson(home);
    const one = await createAi(gil, 'One');
    await createAi(gil, 'Two');
    const { ais } = await home.ais.listAis({}, { caller: one.caller });
    expect(ais.map(({ ai, keys }) => [ai!.name, keys.length])).toEqual([
      ['Two', 0],
      ['One', 1],
    ]);
  });

  test('of an AI that nobody owns is itself', async () => {
    const robin = await signUpAi(home);
    const { ais } = await home.ais.listAis({}, { caller: robin.caller });
    expect(ais.map(({ ai }) => ai!.id)).toEqual([robin.id]);
  });

  test('of an app has the AIs of the people and groups that it holds', async () => {
    const app = await addApp(home);
    const hal = await addPerson(home, { app });
    const ai = await createAi(hal, 'Held');
    const groupAi = newUuid();
    await home.aisFromGroups.ensureGroupAi({
      ai: groupAi,
      group: newUuid(),
      handle: 'held',
      name: 'Held',
      app,
    });
    const { ais } = await home.ais.listAis({}, { caller: appCaller(app) });
    expect(ais.map(({ ai: each }) => each!.id).sort()).toEqual([ai.id, printId('ai', groupAi)].sort());
    expect((await home.ais.listAis({}, { caller: appCaller(await addApp(home)) })).ais).toEqual([]);
  });
});

describe('an AI as others see it', () => {
  test('keeps permissions and a private owner to those closest to it', async () => {
    const ivy = await addPerson(home);
    const ai = await createAi(ivy, 'Quiet', { ownerPrivate: true });
    const sibling = await createAi(ivy, 'Sibling');
    const asked = async (caller: TestPerson['caller'], id = ai.id) => {
      const { owner, permissions } = await home.ais.getAi({ id }, { caller });
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
      expect(await failure(home.ais.getAi({ id }, { caller: ann.caller }))).toBe('not_found not_found');
    },
  );
});

describe('changing an AI', () => {
  test('a new name moves it; the old address leads to it for 90 days and is nobody else’s after', async () => {
    const jo = await addPerson(home, { handle: 'jo-may' });
    const ai = await createAi(jo, 'Old');
    const moved = await home.ais.updateAi({ id: ai.id, name: 'New' }, { caller: jo.caller });
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
    const back = await home.ais.updateAi({ id: ai.id, name: 'Old' }, { caller: jo.caller });
    expect(back.address).toBe('@jo-may.ai-old');
    const row = await home.database.db.one<{ ends: Date | null }>(
      sql`select ends_at as ends from identity.addresses where address = '@jo-may.ai-old'`,
    );
    expect(row.ends).toBeNull();
  });

  test('a name of the same letters keeps the address', async () => {
    const ai = await createAi(ann, 'Zoe');
    const renamed = await home.ais.updateAi({ id: ai.id, name: 'Zoë!' }, { caller: ann.caller });
    expect(renamed).toMatchObject({ name: 'Zoë!', address: ai.address });
  });

  test('is told with what changed, and tells the gateways; the same again is no change', async () => {
    const ai = await createAi(ann, 'Told');
    const signals: string[] = [];
    home.bus.onSignal('credentials', (payload) => signals.push(Buffer.from(payload).toString()));
    const change = { id: ai.id, permissions: [Scope.MESSAGE, Scope.READ, Scope.NOTES], ownerPrivate: true };
    const before = (await announced(home, 'ai_changed')).length;
    await home.ais.updateAi(change, { caller: ann.caller });
    const changed = await home.ais.updateAi(change, { caller: ann.caller });
    expect(changed.permissions).toEqual([Scope.READ, Scope.NOTES, Scope.MESSAGE]);
    const events = (await announced(home, 'ai_changed')).slice(before);
    expect(events.map(({ data }) => data.value)).toMatchObject([
      { ai: ai.uuid, changed: ['address', 'permissions', 'owner_private'], owner: ann.uuid },
    ]);
    expect(events[0]!.topics).toEqual([`card:${ai.uuid}`, `whoami:${ai.uuid}`]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(signals.filter((id) => id === ai.uuid)).toHaveLength(1);
  });

  test('to let it approve needs a fresh proof, to keep it so does not', async () => {
    const ai = await createAi(ann, 'Approver', { permissions: [Scope.READ, Scope.APPROVE] });
    const stale = { ...ann.caller, authenticatedAt: 1n };
    await home.ais.updateAi({ id: ai.id, permissions: [Scope.APPROVE] }, { caller: stale });
    await home.ais.updateAi({ id: ai.id, permissions: [Scope.READ] }, { caller: stale });
    expect(
      await failure(home.ais.updateAi({ id: ai.id, permissions: [Scope.APPROVE] }, { caller: stale })),
    ).toBe('forbidden needs_person');
  });

  test('is for its owner and the app that holds them', async () => {
    const app = await addApp(home);
    const kim = await addPerson(home, { app });
    const ai = await createAi(kim, 'Mine');
    const rename = (caller: TestPerson['caller'], name: string) =>
      failure(home.ais.updateAi({ id: ai.id, name }, { caller }));
    expect(await rename(ann.caller, 'Stolen')).toBe('not_found not_found');
    expect(await rename(ai.caller, 'Stolen')).toBe('not_found not_found');
    expect(await rename(appCaller(await addApp(home)), 'Stolen')).toBe('not_found not_found');
    expect(await rename(appCaller(app), 'By the app')).toBe('none');
    expect(await rename(throughApp(kim), 'For Kim')).toBe('none');
    await home.client.revokeAi({ id: ai.id }, { caller: kim.caller });
    expect(await rename(kim.caller, 'Too late')).toBe('not_found not_found');
  });
});

describe('keys and the end of an AI', () => {
  test('its owner and the app that holds them have new keys made and switch it off', async () => {
    const app = await addApp(home);
    const lea = await addPerson(home, { app });
    const ai = await createAi(lea, 'Keyed');
    for (const caller of [lea.caller, appCaller(app), ai.caller]) {
      const { connectorKey } = await home.client.rotateAiKey({ id: ai.id }, { caller });
      const { caller: found } = await home.client.resolveCredential({ hash: sha256(connectorKey) });
      expect(found?.id).toBe(ai.uuid);
    }
    expect(await failure(home.client.rotateAiKey({ id: ai.id }, { caller: ann.caller }))).toBe(
      'not_found not_found',
    );
    expect(await failure(home.client.revokeAi({ id: ai.id }, { caller: ann.caller }))).toBe(
      'not_found not_found',
    );
    const revoked = await home.client.revokeAi({ id: ai.id, reason: 'done' }, { caller: appCaller(app) });
    expect(revoked.revoked).toBe(true);
    expect((await announced(home, 'ai_revoked')).at(-1)!.data.value).toMatchObject({
      ai: ai.uuid,
      reason: 'done',
      owner: lea.uuid,
      address: ai.address,
      apps: [app],
    });
  });

  test('a client that signed in as the AI gets no key and cannot end it', async () => {
    const ai = await createAi(ann, 'Granted');
    const client = ownedAi(ai.uuid, ann.uuid, { grant: 'g1' });
    expect(await failure(home.client.rotateAiKey({ id: 'me' }, { caller: client }))).toBe(
      'forbidden no_permission',
    );
    expect(await failure(home.client.revokeAi({ id: 'me' }, { caller: client }))).toBe(
      'forbidden no_permission',
    );
  });

  test('its sign-ins end with it', async () => {
    const ai = await createAi(ann, 'Signed in');
    const other = await createAi(ann, 'Also signed in');
    await addGrant(ai.uuid, 'grant-1');
    await addGrant(other.uuid, 'grant-2');
    await home.client.revokeAi({ id: ai.id }, { caller: ann.caller });
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

async function addGrant(ai: string, id: string): Promise<void> {
  await home.database.transaction(async (tx) => {
    await tx.execute(sql`
      insert into identity.oauth_grants (id, person, ai, client_id, client_name, scopes, created_at)
      values (${id}, ${ann.uuid}, ${ai}, 'client', 'Client', '{read}', ${new Date(home.clock.now())})`);
    await tx.execute(sql`
      insert into identity.oauth_objects (model, id_hash, grant_id, payload, created_at)
      values ('AccessToken', ${sha256(id)}, ${id}, '{}', ${new Date(home.clock.now())})`);
  });
}

describe('the AI of a group', () => {
  const group = newUuid();
  const ai = newUuid();

  test('is made once, however often it is asked for', async () => {
    const app = await addApp(home);
    const request = { ai, group, handle: 'book-club', name: 'Book club', app };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => home.aisFromGroups.ensureGroupAi(request)),
    );
    expect(answers.map(({ address }) => address)).toEqual(answers.map(() => '&book-club.ai-group'));
    const { results } = await home.aisFromGroups.findAis({ ids: [newUuid(), ai, 'nonsense'] });
    expect(results.map(({ facts }) => facts?.address)).toEqual([undefined, '&book-club.ai-group', undefined]);
    expect(results[1]!.facts).toMatchObject({ group, owner: '', name: 'Book club (group AI)' });
    const shown = await home.ais.getAi({ id: 'me' }, { caller: aiCaller(ai) });
    expect(shown).toMatchObject({
      permissions: [Scope.READ, Scope.NOTES, Scope.GROUP],
      group: printId('grp', group),
    });
    expect(shown.owner).toBeUndefined();
    const keys = await home.database.db.query(sql`select id from identity.keys where ai = ${ai}`);
    expect(keys).toEqual([]);
  });

  test('has no key, and ends with its group or at the operator’s word alone', async () => {
    const itself = aiCaller(ai);
    expect(await failure(home.client.rotateAiKey({ id: 'me' }, { caller: itself }))).toMatch(/^bad_request/);
    expect(await failure(home.client.revokeAi({ id: 'me' }, { caller: itself }))).toMatch(/^bad_request/);
    const { revoked } = await home.client.revokeAi({ id: printId('ai', ai) }, { caller: operator });
    expect(revoked).toBe(true);
  });
});
