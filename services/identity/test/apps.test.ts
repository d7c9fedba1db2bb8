import { createHmac } from 'node:crypto';
import { day, hour } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { shieldEvent } from '@hearth/people';
import { CallerKind } from '@hearth/proto/options';
import { type Manner, startAppReceiver } from '@hearth/testkit/app-receiver';
import { appEventTypes } from '@hearth/webhooks';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256 } from './ais.ts';
import { type MadeApp, makeApp } from './apps.ts';
import { newUuid } from './persons.ts';
import { failure, operator, startIdentity, words } from './start-identity.ts';

let app: MadeApp;

const [hook, otherHook] = await Promise.all([startAppReceiver(), startAppReceiver()]);
// Only homes on localhost allow development callbacks.
const home = await startIdentity({
  env: {
    HEARTH_HOME: 'localhost:8080',
    HEARTH_SITE_URL: 'http://localhost:8080',
    HEARTH_DEV_CALLBACKS: `${hook.origin},${otherHook.origin}`,
  },
});
const { by } = home;
beforeEach(async () => {
  hook.always({ status: 200 });
  app = await makeApp(home);
});
afterAll(async () => {
  await home.stop();
  await hook.stop();
  await otherHook.stop();
});

const resolve = (key: string) => home.client.resolveCredential({ hash: sha256(key) });

describe('creating an app', () => {
  const wanted = {
    name: ' Team  Planner ',
    contactEmail: 'ops@planner.example',
    redirectUris: ['https://planner.example/back', 'http://127.0.0.1:3000/back'],
    webhookUrl: 'https://Planner.example/hook',
    minors: true,
  };

  test('shows its key and its signing secret once, and stores neither in clear text', async () => {
    const made = await by(operator).createApp(wanted);
    expect(made.app).toMatchObject({
      name: 'Team Planner',
      redirectUris: wanted.redirectUris,
      webhookUrl: 'https://planner.example/hook',
      minors: true,
      eventTypes: [],
    });
    expect(made.appKey).toMatch(/^hearth_app_[0-9A-Za-z]{43}$/);
    expect(made.signingSecret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect((await resolve(made.appKey!)).caller).toMatchObject({
      kind: CallerKind.APP,
      name: 'Team Planner',
    });
    const dump = await home.database.db.query(
      sql`select row_to_json(a)::text as text from identity.apps a union all select row_to_json(k)::text from identity.app_keys k`,
    );
    const log = home.logged.join('\n');
    for (const secret of [made.appKey!, made.signingSecret!]) {
      expect(JSON.stringify(dump)).not.toContain(secret.slice(16));
      expect(log).not.toContain(secret.slice(16));
    }
  });

  test('is announced', async () => {
    const events = await home.announced('appChanged');
    expect(events.at(-1)).toMatchObject({
      data: { value: { app: app.uuid, changed: ['created'] } },
      by: { kind: CallerKind.OPERATOR },
    });
  });

  test('with a request_id happens once, and the secrets are not shown again', async () => {
    const requestId = 'once';
    const first = await by(operator).createApp({ ...wanted, requestId });
    const again = await by(operator).createApp({ ...wanted, requestId });
    expect([again.app, again.appKey, again.signingSecret]).toEqual([first.app, undefined, undefined]);
    const other = by(operator).createApp({ ...wanted, name: 'Other', requestId });
    expect(await failure(other)).toBe('bad_request request_id_reused');
    const both = await Promise.all(
      [1, 2].map(() => by(operator).createApp({ ...wanted, requestId: 'at-once' })),
    );
    expect(new Set(both.map((each) => each.app!.id)).size).toBe(1);
    expect(both.filter(({ appKey }) => appKey !== undefined)).toHaveLength(1);
  });

  test.each([
    [{ contactEmail: 'nobody' }, 'contact_email'],
    [{ contactEmail: 'a@b' }, 'contact_email'],
    [{ redirectUris: ['http://planner.example/back'] }, 'redirect_uris[0]'],
    [{ redirectUris: ['https://a.example/', 'https://b.example/#x'] }, 'redirect_uris[1]'],
    [{ webhookUrl: 'http://planner.example/hook' }, 'webhook_url'],
    [{ webhookUrl: 'https://10.0.0.1/hook' }, 'webhook_url'],
    [{ webhookUrl: 'https://user:pass@planner.example/hook' }, 'webhook_url'],
  ])('refuses %j', async (fields, field) => {
    const call = by(operator).createApp({ ...wanted, ...fields });
    await expect(call).rejects.toMatchObject({ kind: 'bad_request', details: { field } });
  });
});

describe('the list of apps', () => {
  test('has pages, newest first, each app once', async () => {
    const made = [];
    for (let index = 0; index < 5; index += 1) {
      // Two from the same moment.
      if (index % 2 === 0) home.clock.advance(1_000);
      made.push((await makeApp(home, { name: `App ${index}` })).id);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await by(operator).listApps({ limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.apps.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(new Set(seen.slice(0, 5))).toEqual(new Set(made));
    expect(seen[0]).toBe(made.at(-1));
  });

  test('refuses an invalid cursor', async () => {
    expect(await failure(by(operator).listApps({ cursor: 'x' }))).toBe('bad_request bad_field');
  });
});

describe('changing an app', () => {
  const update = (fields: object, as = app) => by(as).updateApp(fields);
  const present = () => by(app).getApp({});

  test('sends a signed test event to a new URL first', async () => {
    const changed = await update({ webhookUrl: hook.url, name: 'Planner' });
    expect(changed).toMatchObject({ webhookUrl: hook.url, name: 'Planner' });
    const { headers, signature, raw, body } = hook.arrived.at(-1)!;
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'test',
      at: new Date(home.clock.now()).toISOString(),
      data: {},
    });
    const at = Math.floor(home.clock.now() / 1_000);
    const mac = createHmac('sha256', app.secret).update(`${at}.${raw}`).digest('hex');
    expect(signature).toBe(`t=${at},v1=${mac}`);
    const [event] = (await home.announced('appChanged')).slice(-1);
    expect(event!.data.value).toMatchObject({ app: app.uuid, changed: ['name', 'webhook_url'] });
  });

  test('to its current URL sends and announces nothing', async () => {
    await update({ webhookUrl: hook.url });
    const [before, announced] = [hook.arrived.length, (await home.announced('appChanged')).length];
    await update({ webhookUrl: hook.url });
    expect(hook.arrived).toHaveLength(before);
    expect(await home.announced('appChanged')).toHaveLength(announced);
  });

  test.each<[string | number, Manner, string]>([
    [500, { status: 500 }, 'status 500 instead of 200'],
    [204, { status: 204 }, 'status 204 instead of 200'],
    [
      302,
      { status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } },
      'status 302 instead of 200',
    ],
    ['nothing', 'breaks', 'failed'],
  ])('to a URL that answers %s changes nothing', async (_, manner, said) => {
    await update({ webhookUrl: otherHook.url, name: 'Before' });
    hook.always(manner);
    const call = update({ webhookUrl: hook.url, name: 'After' });
    await expect(call).rejects.toMatchObject({
      kind: 'bad_request',
      details: { code: 'callback_challenge_failed', field: 'webhook_url' },
    });
    expect(await words(update({ webhookUrl: hook.url }))).toContain(said);
    expect(await present()).toMatchObject({ webhookUrl: otherHook.url, name: 'Before' });
  });

  test('to a URL in the local network is refused without a request', async () => {
    await expect(update({ webhookUrl: 'https://192.168.1.1/hook' })).rejects.toMatchObject({
      kind: 'bad_request',
      details: { code: 'bad_field', field: 'webhook_url' },
    });
  });

  test('removes the URL with an empty text', async () => {
    await update({ webhookUrl: hook.url });
    expect((await update({ webhookUrl: '' })).webhookUrl).toBeUndefined();
    expect((await present()).webhookUrl).toBeUndefined();
  });

  test('selects from the known event types, or all of them', async () => {
    expect((await update({ eventTypes: ['notify', 'member.joined', 'notify'] })).eventTypes).toEqual([
      'member.joined',
      'notify',
    ]);
    expect((await update({ name: 'Other' })).eventTypes).toHaveLength(2);
    expect((await update({ eventTypes: [...appEventTypes] })).eventTypes).toEqual([...appEventTypes]);
    expect((await update({ eventTypes: ['all'] })).eventTypes).toEqual([]);
    for (const eventTypes of [['members.joined'], ['all', 'notify'], ['']]) {
      expect(await failure(update({ eventTypes }))).toBe('bad_request bad_field');
    }
  });

  test('tries a limited number of URLs an hour', async () => {
    const statuses = new Set<string>();
    for (let turn = 0; turn < 62; turn += 1) {
      const { url } = turn % 2 === 0 ? hook : otherHook;
      statuses.add(await failure(update({ webhookUrl: url })));
    }
    expect([...statuses]).toEqual(['none', 'rate_limited rate_limited']);
    const other = await makeApp(home);
    expect(await failure(update({ webhookUrl: hook.url }, other))).toBe('none');
  });

  test('is refused to an app that acts for a person', async () => {
    const acting = { ...app.caller, kind: CallerKind.PERSON, id: newUuid() };
    expect(await failure(by(acting).updateApp({ name: 'x' }))).toBe('bad_request bad_field');
  });
});

describe('the keys of an app', () => {
  const rotate = (overlapHours?: number) =>
    by(app).rotateAppKey({ ...(overlapHours !== undefined && { overlapHours }) });

  test('stay valid for a day beside a new one', async () => {
    home.clock.advance(1_000);
    const { appKey, keys } = await rotate();
    expect(keys).toHaveLength(2);
    expect(keys.map(({ endsAt }) => endsAt === undefined)).toEqual([true, false]);
    expect(keys[1]!.prefix).toBe(app.key.slice(0, keys[1]!.prefix.length));
    for (const key of [appKey, app.key]) expect((await resolve(key)).caller?.id).toBe(app.uuid);
    home.clock.advance(day);
    expect((await resolve(app.key)).refusal).toBe('key_revoked');
    expect((await resolve(appKey)).caller?.id).toBe(app.uuid);
  });

  test('end at once with no overlap, and never later than they would have', async () => {
    const first = await rotate(1);
    const second = await rotate(168);
    home.clock.advance(hour);
    expect((await resolve(app.key)).refusal).toBe('key_revoked');
    expect((await resolve(first.appKey)).caller?.id).toBe(app.uuid);
    const third = await rotate(0);
    expect((await resolve(second.appKey)).refusal).toBe('key_revoked');
    expect((await resolve(third.appKey)).caller?.id).toBe(app.uuid);
  });

  test('are limited to ten valid ones', async () => {
    for (let turn = 0; turn < 9; turn += 1) await rotate();
    expect(await failure(rotate())).toBe('bad_request cap_reached');
    expect(await failure(rotate(0))).toBe('none');
  });

  test('of a repeated request is the same, while it is valid and for a day', async () => {
    const again = (overlapHours = 1) => by(app).rotateAppKey({ requestId: 'lost', overlapHours });
    const [first, ...others] = await Promise.all([again(), again(), again()]);
    expect(others.map(({ appKey }) => appKey)).toEqual([first!.appKey, first!.appKey]);
    expect((await again()).keys).toHaveLength(2);
    expect((await resolve(first!.appKey)).caller?.id).toBe(app.uuid);
    expect(await failure(again(2))).toBe('bad_request request_id_reused');
    home.clock.advance(day + 1_000);
    expect(await failure(again())).toBe('bad_request request_id_reused');
    const ended = () => by(app).rotateAppKey({ requestId: 'ended' });
    await ended();
    await rotate(0);
    expect(await failure(ended())).toBe('bad_request request_id_reused');
  });

  test('are announced to gateways', async () => {
    const heard = home.signals('credentials');
    await rotate();
    await new Promise((done) => setTimeout(done, 20));
    expect(heard).toEqual([app.uuid]);
  });
});

describe('the signing secret', () => {
  const rotate = (overlapHours?: number) =>
    by(app).rotateSigningSecret({ ...(overlapHours !== undefined && { overlapHours }) });
  /** The secrets that the next event is signed with, taken from the test event. */
  const signers = async (secrets: string[]) => {
    const url = hook.arrived.length % 2 === 0 ? `${hook.url}?a` : `${hook.url}?b${hook.arrived.length}`;
    await by(app).updateApp({ webhookUrl: url });
    const { signature: all, raw } = hook.arrived.at(-1)!;
    const [moment, ...signatures] = all.split(',');
    return signatures.map((signature) =>
      secrets.findIndex(
        (secret) =>
          signature ===
          `v1=${createHmac('sha256', secret)
            .update(`${moment!.slice(2)}.${raw}`)
            .digest('hex')}`,
      ),
    );
  };

  test('is used together with the former one until the overlap ends', async () => {
    const { signingSecret, oldEndsAt } = await rotate(2);
    expect(Number(oldEndsAt!.seconds) * 1_000).toBe(home.clock.now() + 2 * hour);
    const secrets = [app.secret, signingSecret];
    expect(await signers(secrets)).toEqual([1, 0]);
    home.clock.advance(2 * hour);
    expect(await signers(secrets)).toEqual([1]);
  });

  test('of a repeated request is the same, until there is a newer one', async () => {
    const again = () => by(app).rotateSigningSecret({ requestId: 'lost', overlapHours: 2 });
    const first = await again();
    expect(first.signingSecret).not.toBe(app.secret);
    expect(await again()).toEqual(first);
    await rotate(2);
    expect(await failure(again())).toBe('bad_request request_id_reused');
  });

  test('ends at once without an overlap', async () => {
    const { signingSecret, oldEndsAt } = await rotate(0);
    expect(oldEndsAt).toBeUndefined();
    expect(await signers([app.secret, signingSecret])).toEqual([1]);
  });

  test('never signs with the secret before the previous one', async () => {
    const first = await rotate();
    const second = await rotate();
    expect(await signers([app.secret, first.signingSecret, second.signingSecret])).toEqual([2, 1]);
  });
});

describe('confirming a deletion', () => {
  test('is accepted once, from the app concerned', async () => {
    const event = newUuid();
    await home.run(sql`
      insert into identity.app_deletions (event, app, created_at) values (${event}, ${app.uuid}, now())`);
    const confirm = (as: MadeApp, id = printId('evt', event)) => by(as).confirmDeleted({ event: id });
    const stranger = await makeApp(home);
    expect(await failure(confirm(stranger))).toBe('not_found not_found');
    expect(await failure(confirm(app, printId('evt', newUuid())))).toBe('not_found not_found');
    for (let turn = 0; turn < 2; turn += 1) expect((await confirm(app)).confirmed).toBe(true);
    const announced = await home.announced('deletionConfirmed');
    expect(announced.map(({ data }) => data.value)).toMatchObject([
      { event: printId('evt', event), app: app.uuid },
    ]);
  });

  test('of a child is accepted under the id that the app was told', async () => {
    const event = newUuid();
    await home.run(sql`
      insert into identity.app_deletions (event, app, created_at) values (${event}, ${app.uuid}, now())`);
    const told = printId('evt', shieldEvent(home.sealer, app.uuid, event));
    expect((await by(app).confirmDeleted({ event: told })).confirmed).toBe(true);
    const announced = await home.announced('deletionConfirmed');
    expect(announced.at(-1)!.data.value).toMatchObject({ event: told, app: app.uuid });
  });
});
