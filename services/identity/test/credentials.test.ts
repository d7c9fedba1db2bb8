import { hour, nowDate } from '@hearth/clock';
import { sql } from '@hearth/db';
import { type IdPrefix, printId } from '@hearth/ids';
import { type Caller, Proof, Via } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sha256 } from './ais.ts';
import { makeApp } from './apps.ts';
import { addAi, addPerson, allScopes, newUuid, type PersonOptions } from './persons.ts';
import { siteUrl, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const app = await makeApp(home);
const otherApp = await makeApp(home, { name: 'Other' });
afterAll(() => home.stop());

/** A new person's uuid. */
const newPerson = async (options?: PersonOptions) => (await addPerson(home, options)).uuid;

/** The caller, or the reason why there is none. */
async function resolve(key: string, actingFor = ''): Promise<Caller | string> {
  const { caller, refusal } = await home.client.resolveCredential({ hash: sha256(key), actingFor });
  return caller ?? (refusal === '' ? 'unknown' : refusal);
}

const acting = (prefix: IdPrefix, uuid: string, by = app) => resolve(by.key, printId(prefix, uuid));

describe('an app', () => {
  test('calls as itself', async () => {
    expect(await resolve(app.key)).toMatchObject({
      kind: CallerKind.APP,
      id: app.uuid,
      app: app.uuid,
      name: 'Team Planner',
      via: Via.APP,
    });
  });

  test('acts for a person that it holds', async () => {
    const person = await newPerson({ app: app.uuid, guest: true, handle: 'held', name: 'Ada Lovelace' });
    expect(await acting('per', person)).toMatchObject({
      kind: CallerKind.PERSON,
      id: person,
      person: '',
      address: '@held',
      name: 'Ada Lovelace',
      app: app.uuid,
      via: Via.APP,
      proof: Proof.TAP,
      scopes: allScopes,
      guest: true,
      minor: false,
      session: '',
    });
  });

  test('acts for a child that it holds, under an id that others may read', async () => {
    const guardian = await addPerson(home);
    const child = await newPerson({ app: app.uuid, ageBand: 'child', guardian, name: 'Ada Lovelace' });
    expect(await acting('per', child)).toMatchObject({ id: child, minor: true, name: 'Ada L.' });
  });

  test('cannot act for a child under 13 without a guardian', async () => {
    expect(await acting('per', await newPerson({ app: app.uuid, ageBand: 'child' }))).toBe('no_guardian');
    const teen = await newPerson({ app: app.uuid, ageBand: 'teen13' });
    expect(await acting('per', teen)).toMatchObject({ id: teen });
  });

  test("acts for the AI of a person that it holds, with that AI's permissions", async () => {
    const owner = await newPerson({ app: app.uuid });
    const ai = await addAi(home, { owner, permissions: ['read', 'group'] });
    expect(await acting('ai', ai.uuid)).toMatchObject({
      kind: CallerKind.AI,
      id: ai.uuid,
      person: owner,
      app: app.uuid,
      via: Via.APP,
      scopes: [Scope.READ, Scope.GROUP],
    });
  });

  test('acts for the AI of a group that it created', async () => {
    const ai = await addAi(home, { groupApp: app.uuid });
    expect(await acting('ai', ai.uuid)).toMatchObject({
      kind: CallerKind.AI,
      id: ai.uuid,
      app: app.uuid,
      person: '',
      group: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await acting('ai', ai.uuid, otherApp)).toBe('not_held');
  });

  test('acts for nobody else, whether or not they exist', async () => {
    const [free, others, gone] = [
      await newPerson(),
      await newPerson({ app: otherApp.uuid }),
      await newPerson({ app: app.uuid, deletedAt: nowDate(home.clock) }),
    ];
    const held = await newPerson({ app: app.uuid });
    const owned = await addAi(home, { owner: others });
    const orphan = await addAi(home, { owner: gone });
    const off = await addAi(home, { owner: held, revoked: true });
    const ownerless = await addAi(home);
    for (const person of [free, others, gone, newUuid()])
      expect(await acting('per', person)).toBe('not_held');
    for (const ai of [owned.uuid, orphan.uuid, off.uuid, ownerless.uuid, newUuid()])
      expect(await acting('ai', ai)).toBe('not_held');
    // One kind's id under the other's prefix.
    expect(await acting('ai', held)).toBe('not_held');
    const ai = await addAi(home, { owner: held });
    expect(await acting('per', ai.uuid)).toBe('not_held');
    for (const text of ['per_', `per_${'g'.repeat(32)}`, 'shp_0', '@ada', 'me', "ai_' or 1=1"])
      expect(await resolve(app.key, text)).toBe('not_held');
  });

  test('that was deleted resolves to nothing', async () => {
    const gone = await makeApp(home);
    const person = await newPerson({ app: gone.uuid });
    await home.run(sql`update identity.apps set revoked_at = ${nowDate(home.clock)} where id = ${gone.uuid}`);
    expect(await resolve(gone.key)).toBe('key_revoked');
    expect(await acting('per', person, gone)).toBe('key_revoked');
  });

  test('resolves each of many concurrent calls for its own subject', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => newPerson({ app: app.uuid })));
    const ai = await addAi(home);
    const asked = [
      ...people.map((person) => [app.key, printId('per', person), person] as const),
      [app.key, '', app.uuid] as const,
      [ai.key, '', ai.uuid] as const,
      [otherApp.key, printId('per', people[0]!), 'not_held'] as const,
      ['nobody', '', 'unknown'] as const,
    ];
    const answers = await Promise.all(asked.map(([key, actingFor]) => resolve(key, actingFor)));
    const brief = answers.map((answer) => (typeof answer === 'string' ? answer : answer.id));
    expect(brief).toEqual(asked.map(([, , expected]) => expected));
  });
});

describe('the key of an AI', () => {
  test('resolves to that AI, with its owner', async () => {
    const owner = await newPerson();
    const ai = await addAi(home, { owner });
    expect(await resolve(ai.key)).toMatchObject({
      kind: CallerKind.AI,
      id: ai.uuid,
      person: owner,
      app: '',
      via: Via.API,
      minor: false,
    });
  });

  test('acts for nobody else', async () => {
    const owner = await newPerson();
    const ai = await addAi(home, { owner });
    expect(await resolve(ai.key, printId('per', owner))).toBe('not_an_app');
  });

  test('of a child is valid while the guardian lets AIs act for them', async () => {
    const child = await newPerson({ ageBand: 'teen13', app: app.uuid });
    const ai = await addAi(home, { owner: child });
    expect(await resolve(ai.key)).toBe('child');
    expect(await acting('ai', ai.uuid)).toBe('child');
    await home.run(sql`update identity.people set ai_share = true where id = ${child}`);
    expect(await resolve(ai.key)).toMatchObject({ id: ai.uuid, person: child, minor: true });
    expect(await acting('ai', ai.uuid)).toMatchObject({ id: ai.uuid, minor: true });
  });

  test('is revoked with its AI, and with the account of its owner', async () => {
    const off = await addAi(home, { revoked: true });
    const orphan = await addAi(home, {
      owner: await newPerson({ deletedAt: nowDate(home.clock) }),
    });
    for (const { key } of [off, orphan]) expect(await resolve(key)).toBe('key_revoked');
  });
});

describe('a session', () => {
  async function signIn(person: string, { proof = '', minutesAgo = 0 } = {}) {
    const [id, token] = [newUuid(), `hearth_ps_${newUuid()}`];
    const now = nowDate(home.clock);
    const authenticated = proof === '' ? null : new Date(now.getTime() - minutesAgo * 60_000);
    await home.run(sql`
      insert into identity.sessions (id, person, hash, authenticated_at, proof, created_at, ends_at)
      values (${id}, ${person}, ${sha256(token)}, ${authenticated}, ${proof}, ${now},
        ${new Date(now.getTime() + hour)})`);
    return { id, token };
  }

  test('resolves to the person, with their kind of proof', async () => {
    const person = await newPerson();
    const { id, token } = await signIn(person, { proof: 'passkey', minutesAgo: 5 });
    expect(await resolve(token)).toMatchObject({
      kind: CallerKind.PERSON,
      id: person,
      app: '',
      via: Via.WEB,
      session: id,
      authenticatedAt: BigInt(home.clock.now() - 5 * 60_000),
      proof: Proof.PASSKEY,
      scopes: allScopes,
    });
    expect(await resolve(token, printId('per', person))).toBe('not_an_app');
  });

  test('of a guest proves nothing', async () => {
    const { token } = await signIn(await newPerson({ guest: true }));
    expect(await resolve(token)).toMatchObject({ guest: true, authenticatedAt: 0n, proof: Proof.TAP });
  });

  test('expires by itself, and ends with the account', async () => {
    const person = await newPerson();
    const { token } = await signIn(person, { proof: 'email' });
    await home.run(sql`update identity.people set deleted_at = now() where id = ${person}`);
    expect(await resolve(token)).toBe('key_revoked');
    const other = await signIn(await newPerson(), { proof: 'email' });
    expect(await resolve(other.token)).toMatchObject({ proof: Proof.EMAIL });
    home.clock.advance(hour);
    expect(await resolve(other.token)).toBe('ended');
  });
});

describe('an access token', () => {
  interface Given {
    scope?: string;
    aud?: unknown;
    owner?: string;
    model?: string;
  }

  async function grant({
    scope = 'read message offline_access',
    aud = `${siteUrl}/mcp`,
    ...given
  }: Given = {}) {
    const person = given.owner ?? (await newPerson());
    const ai = await addAi(home, { owner: person, permissions: ['read', 'message', 'group'] });
    const [id, token] = [`grant-${newUuid()}`, `token-${newUuid()}`];
    const now = nowDate(home.clock);
    await home.database.transaction(async (tx) => {
      await tx.execute(sql`
        insert into identity.oauth_grants (id, person, ai, client_id, client_name, scopes, created_at)
        values (${id}, ${person}, ${ai.uuid}, 'client', 'Client', ${['read', 'message']}, ${now})`);
      await tx.execute(sql`
        insert into identity.oauth_objects (model, id_hash, grant_id, payload, created_at, expires_at)
        values (${given.model ?? 'AccessToken'}, ${sha256(token)}, ${id},
          ${JSON.stringify({ scope, aud, kind: 'AccessToken' })}, ${now}, ${new Date(now.getTime() + hour)})`);
    });
    return { id, token, person, ai: ai.uuid };
  }

  test('resolves to the AI of the grant, with exactly the granted scopes', async () => {
    const { id, token, person, ai } = await grant({ scope: 'message approve openid offline_access' });
    const answer = await home.client.resolveCredential({ hash: sha256(token), actingFor: '' });
    expect(answer.caller).toMatchObject({
      kind: CallerKind.AI,
      id: ai,
      person,
      grant: id,
      client: 'client',
      scopes: [Scope.MESSAGE, Scope.APPROVE],
      app: '',
    });
    expect(answer.endsAt).toBe(BigInt(home.clock.now() + hour));
    expect(await resolve(token, printId('per', person))).toBe('not_an_app');
  });

  test.each([
    [siteUrl, true],
    [`${siteUrl}/`, true],
    [`${siteUrl}/v0`, true],
    [`${siteUrl}/mcp`, true],
    [[`${siteUrl}/mcp`, 'https://other.example'], true],
    ['https://other.example/mcp', false],
    [`${siteUrl}.evil.example`, false],
    [undefined, false],
    [null, false],
    [[], false],
  ])('for %j is valid at this home: %s', async (aud, opens) => {
    const { token } = await grant({ aud: aud as never, ...(aud === undefined && { aud: null }) });
    const { caller, audience } = await home.client.resolveCredential({
      hash: sha256(token),
      actingFor: '',
    });
    expect([caller !== undefined, audience]).toEqual([
      opens,
      opens ? String([aud].flat()[0]).replace(/\/$/, '') : '',
    ]);
  });

  test('cannot be any other object of the authorization server', async () => {
    const { token } = await grant({ model: 'RefreshToken' });
    expect(await resolve(token)).toBe('unknown');
  });

  test("expires, and ends with the grant, the AI, or a change of the AI's owner", async () => {
    const [late, ended, off, moved] = [await grant(), await grant(), await grant(), await grant()];
    await home.run(sql`update identity.oauth_grants set ended_at = now() where id = ${ended.id}`);
    await home.run(sql`update identity.ais set revoked_at = now() where id = ${off.ai}`);
    await home.run(sql`update identity.ais set owner = ${await newPerson()} where id = ${moved.ai}`);
    for (const { token } of [ended, off, moved]) expect(await resolve(token)).toBe('key_revoked');
    home.clock.advance(hour);
    expect(await resolve(late.token)).toBe('ended');
  });

  test('for a child is limited by what their guardian allows', async () => {
    const child = await newPerson({ ageBand: 'teen16' });
    expect(await resolve((await grant({ owner: child })).token)).toBe('child');
    await home.run(sql`update identity.people set ai_share = true where id = ${child}`);
    expect(await resolve((await grant({ owner: child })).token)).toMatchObject({ minor: true });
  });
});

test('the day of last use is recorded for keys of apps, sessions and grants too', async () => {
  const used = await makeApp(home);
  const owner = await newPerson();
  const ai = await addAi(home, { owner });
  await home.client.noteSeen({
    sightings: [used.key, ai.key, 'unknown'].map((key) => ({ ai: '', credentialHash: sha256(key) })),
  });
  const today = nowDate(home.clock).toISOString().slice(0, 10);
  const [appKey] = await home.database.db.query(
    sql`select last_used_on as day from identity.app_keys where app = ${used.uuid}`,
  );
  const [aiKey] = await home.database.db.query(
    sql`select last_used_on as day from identity.keys where ai = ${ai.uuid}`,
  );
  expect([appKey, aiKey]).toEqual([{ day: today }, { day: today }]);
});
