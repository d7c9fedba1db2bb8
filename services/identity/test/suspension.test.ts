import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, hour } from '@hearth/clock';
import { sql } from '@hearth/db';
import { parseId, printId } from '@hearth/ids';
import { AiState } from '@hearth/proto/identity/v1/ais';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from './accounts.ts';
import { type SignedUp, sha256, signUpAi } from './ais.ts';
import { type MadeApp, makeApp } from './apps.ts';
import { newPerson } from './people.ts';
import { failure, operator, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
afterAll(() => home.stop());

const heldBy = (app: MadeApp, wanted: object = {}) => newPerson(home, app, wanted);
const at = (ms: number) => timestampFromMs(home.clock.now() + ms);
const suspend = (id: string, until = at(7 * day), reason = 'spam') =>
  by(operator).suspendAi({ id, until, reason });
const restore = (id: string) => by(operator).restoreAi({ id, reason: 'sorry' });
const resolve = (key: string, actingFor = '') =>
  home.client.resolveCredential({ hash: sha256(key), actingFor });
const cardOf = async ({ caller, address }: SignedUp) => (await by(caller).describeCard({ address })).card!;
const stateOf = async (id: string) =>
  (await by(operator).listAllAis({})).ais.find((ai) => ai.id === id)?.state;
const permissionsOf = async ({ uuid }: SignedUp) =>
  (await home.fromMessages.findAis({ ids: [uuid] })).results[0]?.facts?.permissions.length;

test('a suspended AI can do nothing until the end date, which everyone can see', async () => {
  const robin = await signUpAi(home);
  const until = at(7 * day);
  expect(await suspend(robin.address, until)).toMatchObject({
    id: robin.id,
    address: robin.address,
    state: AiState.SUSPENDED,
    suspendedUntil: until,
    reason: 'spam',
  });
  const ends = BigInt(home.clock.now() + 7 * day);
  expect(await resolve(robin.key)).toMatchObject({
    refusal: 'suspended',
    reason: 'spam',
    suspendedUntil: ends,
  });
  expect((await resolve(robin.key)).caller).toBeUndefined();
  expect(await cardOf(robin)).toMatchObject({ suspended: true });
  expect(await by(operator).getAi({ id: robin.id })).toMatchObject({ revoked: false, suspendedUntil: until });
  expect(await permissionsOf(robin)).toBe(0);
  expect(home.signalled.credentials).toContain(robin.uuid);
  const [event] = (await home.announced('aiSuspended')).slice(-1);
  expect(event).toMatchObject({
    data: { value: { ai: { id: robin.uuid, owner: '' }, until, reason: 'spam', apps: [] } },
    by: { kind: CallerKind.OPERATOR },
  });
  // Another end and another reason.
  await suspend(robin.id, at(hour), 'less spam');
  expect(await resolve(robin.key)).toMatchObject({ reason: 'less spam' });

  // It has expired, even before anything announces it.
  home.clock.advance(hour);
  expect((await resolve(robin.key)).caller).toMatchObject({ id: robin.uuid });
  expect(await stateOf(robin.id)).toBe(AiState.ACTIVE);
  expect((await cardOf(robin)).suspended).toBeUndefined();
  expect(await permissionsOf(robin)).toBe(2);
  await home.runJob('identity: end-suspensions');
  await home.runJob('identity: end-suspensions');
  const restored = (await home.announced('aiRestored')).filter(
    ({ data }) => data.value.ai?.id === robin.uuid,
  );
  expect(restored.map(({ data, by: who }) => [data.value.reason, who?.kind])).toEqual([['', undefined]]);
  expect((await by(operator).getAi({ id: robin.id })).suspendedUntil).toBeUndefined();
});

test('the operator lifts a suspension early', async () => {
  const robin = await signUpAi(home);
  await suspend(robin.id);
  expect(await restore(robin.id)).toMatchObject({ state: AiState.ACTIVE });
  expect((await resolve(robin.key)).caller).toMatchObject({ id: robin.uuid });
  // Nothing is left to restore, so nothing is announced.
  await restore(robin.id);
  const restored = (await home.announced('aiRestored')).filter(
    ({ data }) => data.value.ai?.id === robin.uuid,
  );
  expect(restored.map(({ data, by: who }) => [data.value.reason, who?.kind])).toEqual([
    ['sorry', CallerKind.OPERATOR],
  ]);
});

test('an app cannot act for a suspended AI, and is notified', async () => {
  const app = await makeApp(home);
  const ada = await heldBy(app);
  const made = await by(ada.web()).createAi({ name: 'Helper' });
  const { id } = made.ai!;
  expect((await resolve(app.key, id)).caller).toBeDefined();
  await suspend(id);
  for (const refused of [await resolve(app.key, id), await resolve(made.connectorKey!)])
    expect(refused).toMatchObject({ refusal: 'suspended', reason: 'spam' });
  expect((await resolve(app.key)).caller).toBeDefined();
  // A new key requested by its owner changes nothing.
  const { connectorKey } = await by(ada.web()).rotateAiKey({ id });
  expect((await resolve(connectorKey)).refusal).toBe('suspended');
  const { data } = (await home.announced('aiSuspended')).at(-1)!;
  expect(data.value).toMatchObject({ ai: { owner: ada.uuid }, apps: [app.uuid] });
  home.clock.advance(8 * day);
  await home.runJob('identity: end-suspensions');
  expect((await home.announced('aiRestored')).at(-1)?.data.value.apps).toEqual([app.uuid]);
});

test('a switched-off AI stays so, and a suspended one can be switched off', async () => {
  const robin = await signUpAi(home);
  await suspend(robin.id);
  await by(operator).revokeAi({ id: robin.id });
  expect((await resolve(robin.key)).refusal).toBe('key_revoked');
  expect(await stateOf(robin.id)).toBe(AiState.REVOKED);
  for (const act of [() => suspend(robin.id), () => restore(robin.id)])
    expect(await failure(act())).toBe('bad_request already_settled');
  // So is an AI that another operator switches off meanwhile.
  const wren = await signUpAi(home);
  const waiting = () =>
    home.database.db.query(sql`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%identity.ais%'`);
  let suspending: Promise<string> | undefined;
  await home.database.transaction(async (tx) => {
    await tx.execute(sql`update identity.ais set revoked_at = created_at where id = ${wren.uuid}`);
    suspending = failure(suspend(wren.id));
    await eventually(waiting, ({ length }) => length > 0);
  });
  expect(await suspending).toBe('bad_request already_settled');
  home.clock.advance(8 * day);
  await home.runJob('identity: end-suspensions');
  const restored = await home.announced('aiRestored');
  expect(restored.some(({ data }) => data.value.ai?.id === robin.uuid)).toBe(false);
});

test('the end date must be in the future within a limit, and an unknown AI is not found', async () => {
  const robin = await signUpAi(home);
  for (const until of [at(0), at(-day), at(366 * day)])
    await expect(suspend(robin.id, until)).rejects.toMatchObject({ details: { field: 'until' } });
  for (const id of [printId('ai', '01900000-0000-7000-8000-000000000000'), '@free-none.ai-robin', 'me'])
    expect(await failure(suspend(id))).toMatch(/not_found|bad_request|forbidden/);
});

test('the operator lists AIs and people, without the identity of children', async () => {
  const app = await makeApp(home, { minors: true });
  const ada = await heldBy(app, { name: 'Ada Lovelace' });
  home.clock.advance(1_000);
  const kit = await by(app.caller).createPerson({
    name: 'Kit Carson',
    handle: 'kit-carson-secret',
    ageBand: AgeBand.CHILD,
    guardian: ada.id,
  });
  await by(ada.web()).updatePerson({ id: kit.id, aiShare: true });
  const owl = (await by(ada.web()).createAi({ name: 'Kits owl', person: kit.id })).ai!;
  const { people } = await by(operator).listAllPeople({ app: app.id });
  expect(people).toMatchObject([
    { id: kit.id, name: 'Kit C.', app: app.id },
    { id: ada.id, name: 'Ada Lovelace', handle: ada.handle, guest: false },
  ]);
  expect(people[0]?.handle).toBeUndefined();
  const { ais } = await by(operator).listAllAis({ owner: kit.id });
  expect(ais).toMatchObject([{ id: owl.id, owner: kit.id, state: AiState.ACTIVE }]);
  expect([ais[0]?.address, ais[0]?.name]).toEqual([undefined, undefined]);

  await suspend(owl.id);
  const ids = async (request: object) => (await by(operator).listAllAis(request)).ais.map(({ id }) => id);
  expect(await ids({ state: AiState.SUSPENDED })).toEqual([owl.id]);
  expect(await ids({ state: AiState.REVOKED, owner: kit.id })).toEqual([]);
  const all = await ids({});
  const first = await by(operator).listAllAis({ limit: 2 });
  const second = await by(operator).listAllAis({ limit: 100, cursor: first.nextCursor });
  expect([...first.ais, ...second.ais].map(({ id }) => id)).toEqual(all);
  const some = await by(operator).listAllPeople({ limit: 1 });
  const rest = await by(operator).listAllPeople({ limit: 100, cursor: some.nextCursor });
  expect([...some.people, ...rest.people]).toEqual((await by(operator).listAllPeople({})).people);
  expect((await by(operator).listAllPeople({ app: app.id, deleting: true })).people).toEqual([]);
});

describe('a suspended person', () => {
  const suspendPerson = (id: string, until = at(7 * day), reason = 'threats') =>
    by(operator).suspendPerson({ id, until, reason });

  test('can do nothing until the end date, nor can their AIs and apps for them', async () => {
    const app = await makeApp(home);
    const ada = await heldBy(app);
    const { ai, connectorKey } = await by(ada.web()).createAi({ name: 'Helper' });
    const { id } = ai!;
    const until = at(7 * day);
    expect(await suspendPerson(ada.id, until)).toMatchObject({
      id: ada.id,
      suspendedUntil: until,
      reason: 'threats',
    });
    const refusals = [
      await resolve(app.key, ada.id),
      await resolve(app.key, id),
      await resolve(connectorKey!),
    ];
    for (const refused of refusals)
      expect(refused).toMatchObject({ refusal: 'suspended', suspended: 'account', reason: 'threats' });
    expect((await resolve(app.key)).caller).toBeDefined();
    expect(home.signalled.credentials).toEqual(expect.arrayContaining([ada.uuid, parseId('ai', id)]));
    expect(await stateOf(id)).toBe(AiState.SUSPENDED);
    expect(
      (await home.fromMessages.findAis({ ids: [parseId('ai', id)!] })).results[0]?.facts?.permissions,
    ).toEqual([]);
    const { data } = (await home.announced('personChanged')).at(-1)!;
    expect(data.value).toMatchObject({
      person: { id: ada.uuid },
      changed: ['suspended'],
      until,
      reason: 'threats',
      apps: [app.uuid],
    });
    const { results } = await home.fromMessages.findPeople({ ids: [ada.uuid] });
    expect(results[0]?.facts).toMatchObject({ suspendedUntil: until });
    const listed = async (suspended: boolean) =>
      (await by(operator).listAllPeople({ app: app.id, suspended })).people.map((person) => person.id);
    expect([await listed(true), await listed(false)]).toEqual([[ada.id], []]);

    home.clock.advance(7 * day);
    expect((await resolve(connectorKey!)).caller).toMatchObject({ id: parseId('ai', id) });
    expect((await resolve(app.key, ada.id)).caller).toMatchObject({ id: ada.uuid });
    expect([await listed(true), await listed(false)]).toEqual([[], [ada.id]]);
    await home.runJob('identity: end-suspensions-of-people');
    await home.runJob('identity: end-suspensions-of-people');
    const ended = (await home.announced('personChanged')).filter(
      ({ data: { value } }) => value.person?.id === ada.uuid && value.changed[0] === 'restored',
    );
    expect(ended.map(({ data: { value }, by: who }) => [value.reason, who?.kind])).toEqual([['', undefined]]);
  });

  test('can sign in, and sees the reason', async () => {
    const { caller, session } = await makeAccount(home, { email: 'threats@example.com' });
    const id = printId('per', caller.id);
    await suspendPerson(id);
    expect(await resolve(session.token)).toMatchObject({ refusal: 'suspended', suspended: 'account' });
    await by(operator).restorePerson({ id, reason: 'sorry' });
    expect((await resolve(session.token)).caller).toMatchObject({ id: caller.id });
  });

  test('is restored early, once, while an AI suspended by itself stays suspended', async () => {
    const ada = await heldBy(await makeApp(home));
    const { ai, connectorKey } = await by(ada.web()).createAi({ name: 'Helper' });
    await suspend(ai!.id, at(14 * day));
    await suspendPerson(`@${ada.handle}`);
    const restored = () => by(operator).restorePerson({ id: ada.id, reason: 'sorry' });
    expect((await restored()).suspendedUntil).toBeUndefined();
    await restored();
    const ended = (await home.announced('personChanged')).filter(
      ({ data: { value } }) => value.person?.id === ada.uuid && value.changed[0] === 'restored',
    );
    expect(ended.map(({ data: { value } }) => value.reason)).toEqual(['sorry']);
    expect(await resolve(connectorKey!)).toMatchObject({
      refusal: 'suspended',
      suspended: 'AI',
      reason: 'spam',
    });
  });

  test('must exist, and the end date must be in the future', async () => {
    const ada = await heldBy(await makeApp(home));
    for (const until of [at(0), at(366 * day)])
      await expect(suspendPerson(ada.id, until)).rejects.toMatchObject({ details: { field: 'until' } });
    for (const id of [printId('per', '01900000-0000-7000-8000-000000000000'), '@no-one-here'])
      expect(await failure(suspendPerson(id))).toBe('not_found not_found');
  });
});

describe('a suspended app', () => {
  const suspendApp = (id: string, until = at(7 * day)) =>
    by(operator).suspendApp({ id, until, reason: 'leaks' });
  const urlOf = async ({ uuid }: MadeApp) =>
    (await home.fromDelivery.findApps({ ids: [uuid] })).results[0]?.facts?.webhookUrl;

  test('acts for nobody and has no webhook address, until the end date', async () => {
    const app = await makeApp(home, { webhookUrl: 'https://app.example/hooks' });
    const ada = await heldBy(app);
    const { connectorKey } = await by(ada.web()).createAi({ name: 'Helper' });
    const until = at(7 * day);
    expect(await suspendApp(app.id, until)).toMatchObject({ suspendedUntil: until, reason: 'leaks' });
    for (const actingFor of ['', ada.id])
      expect(await resolve(app.key, actingFor)).toMatchObject({
        refusal: 'suspended',
        suspended: 'app',
        reason: 'leaks',
      });
    expect((await resolve(connectorKey!)).caller).toBeDefined();
    expect(await urlOf(app)).toBe('');
    expect(home.signalled.credentials).toContain(app.uuid);
    const { apps } = await by(operator).listApps({});
    expect(apps.find(({ id }) => id === app.id)).toMatchObject({ suspendedUntil: until });
    expect((await home.announced('appChanged')).at(-1)?.data.value).toMatchObject({
      app: app.uuid,
      changed: ['suspended'],
      reason: 'leaks',
    });

    home.clock.advance(7 * day);
    expect((await resolve(app.key)).caller).toBeDefined();
    expect(await urlOf(app)).toBe('https://app.example/hooks');
    await home.runJob('identity: end-suspensions-of-apps');
    await home.runJob('identity: end-suspensions-of-apps');
    const ended = (await home.announced('appChanged')).filter(
      ({ data: { value } }) => value.app === app.uuid && value.changed[0] === 'restored',
    );
    expect(ended).toHaveLength(1);
  });

  test('is restored early, once', async () => {
    const app = await makeApp(home);
    await suspendApp(app.id);
    const restored = () => by(operator).restoreApp({ id: app.id, reason: 'sorry' });
    expect((await restored()).suspendedUntil).toBeUndefined();
    await restored();
    expect((await resolve(app.key)).caller).toBeDefined();
    const ended = (await home.announced('appChanged')).filter(
      ({ data: { value } }) => value.app === app.uuid && value.changed[0] === 'restored',
    );
    expect(ended.map(({ data: { value } }) => value.reason)).toEqual(['sorry']);
    expect(await failure(suspendApp(printId('app', '01900000-0000-7000-8000-000000000000')))).toBe(
      'not_found not_found',
    );
  });
});
