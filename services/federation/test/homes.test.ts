import { manualClock } from '@hearth/clock';
import { HomePolicy, HomesService, OtherHomeState } from '@hearth/proto/federation/v1/homes';
import type { ListedKey } from '@hearth/signing';
import { startService, type TestService } from '@hearth/testkit';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type HomeHooks, type Homes, startHomes } from '../src/homes/module.ts';
import { federation } from '../src/service.ts';
import { startSigning } from '../src/signing/module.ts';
import { keyOf, listedKey, type OtherHome, startOtherHome } from './other-home.ts';
import { sealKey } from './start-federation.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const clock = manualClock('2026-03-01T12:00:00.000Z');
const [first, second, recovery, added] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)];
let database: TestDatabase;
let other: OtherHome;
const running: (TestService & { homes: Homes; told: unknown[] })[] = [];

const usual = () => [listedKey(first, clock), listedKey(recovery, clock, { uses: ['recovery'] })];

beforeEach(async () => {
  clock.set('2026-03-01T12:00:00.000Z');
  database = await createMigratedDatabase([federation]);
  other = await startOtherHome(clock);
  other.lists(usual(), [first]);
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  await other.stop();
  await database.drop();
});

/** Starts a process of this home with only this module. */
async function start(env: Record<string, string> = {}, hooks: Partial<HomeHooks> = {}) {
  const told: unknown[] = [];
  let homes: Homes | undefined;
  const part = {
    ...federation,
    start: async (host: Parameters<typeof startHomes>[0]) => {
      homes = await startHomes(host, await startSigning(host));
      homes.on({
        beganAnew: async (_, home) => void told.push(['began_anew', home]),
        keysRevoked: async (_, home, kids) => void told.push(['revoked', home, ...kids]),
        ...hooks,
      });
    },
  };
  const service = await startService([part], {
    databaseUrl: database.url,
    clock,
    env: {
      HEARTH_HOME: 'localhost:8080',
      HEARTH_SEAL_KEY: sealKey,
      HEARTH_DEV_HOMES: other.name,
      ...env,
    },
  });
  const started = Object.assign(service, { homes: homes!, told });
  running.push(started);
  return started;
}

type Started = Awaited<ReturnType<typeof start>>;
const operate = (service: Started) => service.client(HomesService);
const changesOf = async (service: Started) =>
  (await service.events('federation', 'otherHomeChanged')).map(({ data }) => [
    data.value.change,
    data.value.reason,
  ]);
/** Returns the code of a refusal, or the kid. */
async function ask(homes: Homes, kid: string = first.kid, use: 'request' | 'record' = 'request') {
  const found = await homes.keyFor(other.name, kid, use);
  return found.refused ? found.code : found.listed.kid;
}

describe('a key of another home', () => {
  test('comes from its document, fetched once for concurrent callers in every process', async () => {
    const [one, two] = [await start(), await start()];
    const asked = [one, two, one, two].map(({ homes }) => ask(homes));
    expect(await Promise.all(asked)).toEqual([first.kid, first.kid, first.kid, first.kid]);
    expect(other.asked()).toBe(1);
    expect(await one.homes.reach(other.name)).toMatchObject({
      refused: false,
      policy: 'open',
      endpoint: `http://${other.name}/federation`,
      limits: { maxItems: 50, maxAtOnce: 2 },
    });
  });

  test('is valid only for its listed uses', async () => {
    other.lists(
      [
        ...usual(),
        listedKey(second, clock, {
          uses: ['record'],
          status: 'retired',
          not_after: new Date(clock.now()).toISOString(),
        }),
      ],
      [first],
    );
    const { homes } = await start();
    expect(await ask(homes, second.kid, 'record')).toBe(second.kid);
    expect(await ask(homes, second.kid)).toBe('unknown_key');
    expect(await ask(homes, recovery.kid)).toBe('unknown_key');
    expect(await ask(homes, recovery.kid, 'record')).toBe('unknown_key');
  });

  test('is looked up at once while it is unknown, three times a minute', async () => {
    const { homes } = await start();
    await ask(homes);
    expect([await ask(homes, second.kid), other.asked()]).toEqual(['unknown_key', 2]);
    other.lists([...usual(), listedKey(second, clock)], [first]);
    expect([await ask(homes, second.kid), other.asked()]).toEqual([second.kid, 3]);
    for (let times = 0; times < 5; times += 1) expect(await ask(homes, recovery.kid)).toBe('unknown_key');
    expect(other.asked()).toBe(4);
  });

  test('is looked up without a limit when limits are relaxed', async () => {
    const { homes } = await start({ HEARTH_LIMITS: 'relaxed' });
    await ask(homes);
    for (let times = 0; times < 8; times += 1) await ask(homes, second.kid);
    expect(other.asked()).toBe(9);
  });

  test('that changed is found at once when limits are relaxed, because failures are not cached', async () => {
    for (const [env, then] of [
      [{}, 'unknown_key'],
      [{ HEARTH_LIMITS: 'relaxed' }, added.kid],
    ] as const) {
      other.lists(usual(), [first]);
      const { homes, database: own } = await start(env);
      expect(await ask(homes)).toBe(first.kid);
      other.lists([listedKey(second, clock)], [second]);
      expect(await ask(homes, second.kid)).toBe('key_change');
      // The former home is back.
      other.lists([...usual(), listedKey(added, clock)], [first]);
      expect(await ask(homes, added.kid)).toBe(then);
      await own.statement((tx) => tx.query({ text: 'delete from federation.homes', values: [] }));
    }
  });

  test('of an unknown home is not kept once the documents of its network, or of all strangers, exceed the daily bytes', async () => {
    const third = await startOtherHome(clock);
    const keys = usual();
    const more = [5, 6, 7, 8].map((seed) => listedKey(keyOf(seed), clock));
    third.lists(keys, [first]);
    const size = Buffer.byteLength(JSON.stringify(other.document()));
    const names = { HEARTH_DEV_HOMES: `${other.name},${third.name}` };
    for (const name of ['home_document_bytes_a_day', 'strangers_document_bytes_a_day']) {
      const limits = { HEARTH_LIMITS: JSON.stringify({ [name]: 1.5 * size }) };
      const { homes, database: own } = await start({ ...names, ...limits });
      const keptOf = async () => {
        expect(await homes.keyFor(other.name, first.kid, 'request', 'network')).toMatchObject({
          refused: false,
        });
        const [row] = await own.db.query<{ failure: string | null; keys: number }>({
          text: `select failure, jsonb_array_length(kept::jsonb->'document'->'keys')::int as keys from federation.homes where home = $1`,
          values: [other.name],
        });
        return [row!.keys, row!.failure];
      };
      other.lists(keys, [first]);
      expect(await keptOf()).toEqual([2, null]);
      // The same document, at the same length, uses up nothing more.
      clock.advance(2 * hour);
      expect(await keptOf()).toEqual([2, null]);
      // A document that grew counts by its growth, and the shorter one stays.
      other.lists([...keys, ...more], [first]);
      clock.advance(2 * hour);
      expect(await keptOf()).toEqual([2, expect.stringContaining('too many bytes of documents')]);
      expect(await homes.keyFor(third.name, first.kid, 'request', 'network')).toMatchObject({
        refused: true,
      });
      clock.advance(11 * minute);
      // This home's own requests are not charged as a stranger's.
      expect(await homes.keyFor(third.name, first.kid, 'request')).toMatchObject({ refused: false });
      await own.statement((tx) => tx.query({ text: 'delete from federation.homes', values: [] }));
    }
    await third.stop();
  });

  test('that was revoked is dropped at once when a signature fails or its home reports a newer document', async () => {
    const { homes } = await start();
    await ask(homes);
    const revokedAt = new Date(clock.now()).toISOString();
    const [kept] = (await homes.recordKeys(other.name, first.kid, 'network')).keys;
    const gone: ListedKey = { ...kept!, status: 'revoked', revoked_at: revokedAt };
    other.lists(
      [gone, (await homes.recordKeys(other.name, first.kid, 'network')).keys[1]!, listedKey(second, clock)],
      [recovery],
    );
    expect(await ask(homes)).toBe(first.kid);
    expect(await homes.keyAgain(other.name, first.kid, 'request')).toMatchObject({ code: 'unknown_key' });
    expect(await ask(homes)).toBe('unknown_key');
  });

  test('of homes under one domain, and for one network, is looked up a limited number of times an hour', async () => {
    const { homes } = await start({
      HEARTH_LIMITS: '{"home_refetches_a_minute": null, "known_home_fetches_an_hour": 2}',
    });
    await ask(homes);
    for (let times = 0; times < 5; times += 1) await ask(homes, second.kid);
    expect(other.asked()).toBe(3);
    // The stored document remains valid.
    clock.advance(hour - 1);
    expect(await ask(homes)).toBe(first.kid);
  });

  test('is valid no longer than its document, and a newer document is fetched when due', async () => {
    const { homes } = await start();
    await ask(homes);
    clock.advance(hour - 1);
    await ask(homes);
    expect(other.asked()).toBe(1);
    clock.advance(1);
    expect([await ask(homes), other.asked()]).toEqual([first.kid, 2]);
    other.answers((_, response) => response.writeHead(503).end());
    clock.advance(hour);
    expect([await ask(homes), other.asked()]).toEqual([first.kid, 3]);
    clock.advance(2 * minute - 1);
    expect([await ask(homes), other.asked()]).toEqual([first.kid, 3]);
    clock.advance(day);
    expect([await ask(homes), other.asked()]).toEqual(['unknown_key', 4]);
    expect(await homes.reach(other.name)).toMatchObject({ status: 503, code: 'home_unreachable' });
    expect(await homes.recordKeys(other.name, first.kid, '')).toMatchObject({
      lapsed: expect.any(String),
      keys: { length: 2 },
    });
    other.answers(null);
    clock.advance(2 * minute);
    expect(await ask(homes)).toBe(first.kid);
  });

  test('is unknown for this home, an invalid name, or a name with a port that is not in HEARTH_DEV_HOMES', async () => {
    const { homes } = await start({ HEARTH_DEV_HOMES: 'localhost:1' });
    for (const home of ['localhost:8080', other.name, '127.0.0.1', 'Home.example', 'home']) {
      expect(await homes.keyFor(home, first.kid, 'request')).toMatchObject({ code: 'unknown_key' });
      expect(await homes.reach(home)).toMatchObject({ status: 400, code: 'bad_home' });
    }
    expect(other.asked()).toBe(0);
  });
});

describe('answers of a home', () => {
  test.each<[string, (name: string) => Parameters<OtherHome['answers']>[0], RegExp]>([
    [
      'more than 64 KiB',
      () => (_, response) => response.end(`{"a":"${'a'.repeat(65_536)}"}`),
      /larger than 65536/,
    ],
    [
      'a redirect',
      (name) => (_, response) => response.writeHead(302, { location: `http://${name}/` }).end(),
      /leads elsewhere/,
    ],
    ['no JSON', () => (_, response) => response.end('hello'), /where a JSON value belongs|belongs/],
    [
      'another home',
      () => (_, response) => response.end(JSON.stringify({ home: 'other.example' })),
      /lists no keys/,
    ],
    ['nothing', () => (request) => request.socket.destroy(), /connection to/],
  ])('with %s count as no document, which is cached for 10 minutes', async (_, answer, words) => {
    other.answers(answer(other.name));
    const service = await start();
    const { homes } = service;
    expect(await homes.keyFor(other.name, first.kid, 'request')).toMatchObject({
      status: 401,
      code: 'unknown_key',
      error: expect.stringMatching(words),
    });
    other.answers(null);
    clock.advance(10 * minute - 1);
    expect([await ask(homes), other.asked()]).toEqual(['unknown_key', 1]);
    expect(await operate(service).showHome({ home: other.name })).toMatchObject({
      status: OtherHomeState.UNKNOWN,
      failure: expect.stringMatching(words),
    });
    clock.advance(1);
    expect(await ask(homes)).toBe(first.kid);
  });

  test('about a newer document are believed at once', async () => {
    const { homes } = await start();
    homes.heard(other.name, 9_999_999_999);
    await ask(homes);
    clock.advance(minute);
    homes.heard(other.name, 1);
    homes.heard(other.name, 9_999_999_999);
    homes.heard(other.name, 9_999_999_999);
    for (let tries = 0; other.asked() < 2 && tries < 100; tries += 1)
      await new Promise((r) => setTimeout(r, 20));
    // Both may have been sent at the same time.
    expect([2, 3]).toContain(other.asked());
  });
});

test('ten unknown names a minute are fetched for a network, and known homes are not counted', async () => {
  const service = await start({ HEARTH_LIMITS: '{"home_fetches_a_minute": 2}' });
  const { homes } = service;
  const from = (home: string, network = '192.0.2.0/24') => homes.keyFor(home, 'k', 'request', network);
  await ask(homes);
  for (const home of ['a.invalid', 'b.invalid'])
    expect(await from(home)).toMatchObject({ code: 'unknown_key' });
  expect(await from('c.invalid')).toMatchObject({ status: 429, code: 'too_many', retryAfterSeconds: 60 });
  expect(await from(other.name)).toMatchObject({ code: 'unknown_key' });
  expect(await from('c.invalid', '198.51.100.0/24')).toMatchObject({ code: 'unknown_key' });
  expect((await operate(service).listHomes({})).homes.map(({ home }) => home)).toEqual([
    'a.invalid',
    'b.invalid',
    'c.invalid',
    other.name,
  ]);
  clock.advance(day + minute);
  await service.runJob('federation: fetch-homes');
  expect((await operate(service).listHomes({})).homes.map(({ home }) => home)).toEqual([other.name]);
});

describe('policies', () => {
  test('cover the subdomains of a home, except those with a policy of their own', async () => {
    const service = await start();
    const { homes } = service;
    const set = (home: string, mode: HomePolicy) =>
      operate(service).setHomePolicy({ home, mode, reason: '' });
    await set('far.example', HomePolicy.DENIED);
    for (const home of ['sub.far.example', 'a.sub.far.example'])
      expect(await homes.reach(home)).toMatchObject({ status: 403, code: 'home_denied' });
    for (const home of ['notfar.example', 'far.example.org']) expect(await homes.policyOf(home)).toBe('open');
    expect(await set('sub.far.example', HomePolicy.UNSET)).toMatchObject({ talks: false });
    await set('sub.far.example', HomePolicy.ALLOWED);
    expect(await homes.policyOf('a.sub.far.example')).toBe('blocked');
    expect(await homes.policyOf('sub.far.example')).toBe('open');
    await set('far.example', HomePolicy.LIMITED);
    expect(await homes.policyOf('b.far.example')).toBe('limited');
  });

  test('apply before anything is fetched, and at once', async () => {
    const service = await start();
    const { homes } = service;
    const set = (mode: HomePolicy, reason = '') =>
      operate(service).setHomePolicy({ home: other.name, mode, reason });
    expect(await set(HomePolicy.DENIED, 'spam')).toMatchObject({ policy: HomePolicy.DENIED, talks: false });
    expect(await homes.keyFor(other.name, first.kid, 'request')).toMatchObject({
      status: 403,
      code: 'denied',
    });
    expect(await homes.reach(other.name)).toMatchObject({ status: 403, code: 'home_denied' });
    await expect(operate(service).refetchHome({ home: other.name })).rejects.toThrow('is not talked with');
    expect(other.asked()).toBe(0);
    await set(HomePolicy.LIMITED);
    expect(await homes.keyFor(other.name, first.kid, 'request')).toMatchObject({ policy: 'limited' });
    await set(HomePolicy.UNSET);
    await set(HomePolicy.UNSET);
    expect(await homes.policyOf(other.name)).toBe('open');
    expect(await changesOf(service)).toEqual([
      ['blocked', 'spam'],
      ['limited', ''],
      ['unset', ''],
    ]);
  });

  test('under an allowlist allow named homes only, and none when it is off', async () => {
    const listed = await start({ HEARTH_FEDERATION: 'allowlist' });
    expect(await ask(listed.homes)).toBe('denied');
    const told = async () => {
      const client = listed.client(HomesService, 'messages');
      return (await client.findHomePolicy({ home: other.name })).policy;
    };
    expect(await told()).toBe(HomePolicy.DENIED);
    await operate(listed).setHomePolicy({ home: other.name, mode: HomePolicy.ALLOWED });
    expect([await ask(listed.homes), await told()]).toEqual([first.kid, HomePolicy.ALLOWED]);
    const off = await start({ HEARTH_FEDERATION: 'off' });
    expect(await ask(off.homes)).toBe('denied');
    clock.advance(2 * day);
    await expect(off.runJob('federation: fetch-homes')).rejects.toThrow();
    expect(other.asked()).toBe(1);
  });
});

describe('keys that change', () => {
  test('in the announced way are followed, even when nobody writes for days', async () => {
    const service = await start();
    // Without dealings with a home, its document is not refreshed by schedule.
    await operate(service).setHomePolicy({ home: other.name, mode: HomePolicy.ALLOWED });
    await ask(service.homes);
    const next = listedKey(second, clock, { status: 'next' });
    other.lists([...usual(), next], [first]);
    clock.advance(day);
    await service.runJob('federation: fetch-homes');
    const [kept, keptRecovery] = (await service.homes.recordKeys(other.name, first.kid, '')).keys;
    clock.advance(day + hour);
    const retired = {
      ...usual()[0]!,
      status: 'retired' as const,
      not_after: new Date(clock.now()).toISOString(),
    };
    retired.not_before = kept!.not_before!;
    other.lists([retired, keptRecovery!, { ...next, status: 'active' }], [second]);
    await service.runJob('federation: fetch-homes');
    expect(await ask(service.homes, second.kid)).toBe(second.kid);
    expect([await ask(service.homes), service.told]).toEqual(['unknown_key', []]);
  });

  test('by the recovery key are accepted at once, and the log hears of the revoked key', async () => {
    const service = await start();
    await ask(service.homes);
    const [kept, keptRecovery] = usual() as [ReturnType<typeof listedKey>, ReturnType<typeof listedKey>];
    const at = new Date(clock.now()).toISOString();
    other.lists(
      [{ ...kept, status: 'revoked', revoked_at: at }, keptRecovery, listedKey(second, clock)],
      [recovery],
    );
    clock.advance(minute);
    expect(await ask(service.homes, second.kid)).toBe(second.kid);
    expect([await ask(service.homes), service.told]).toEqual([
      'unknown_key',
      [['revoked', other.name, first.kid]],
    ]);
    expect(await changesOf(service)).toEqual([['keys_revoked', '']]);
  });

  test('by no known key wait for the operator: 401 key_change, and nothing is sent there', async () => {
    const service = await start();
    await ask(service.homes);
    other.lists([listedKey(second, clock)], [second]);
    clock.advance(minute);
    expect(await ask(service.homes, second.kid)).toBe('key_change');
    expect(await ask(service.homes)).toBe(first.kid);
    expect(await service.homes.reach(other.name)).toMatchObject({ code: 'home_unreachable' });
    const waits = await operate(service).showHome({ home: other.name });
    expect(waits).toMatchObject({
      status: OtherHomeState.KEY_CHANGE,
      waiting: { keys: [{ kid: second.kid }] },
      keys: [{ kid: first.kid }, { kid: recovery.kid }],
    });
    const { homes: listed } = await operate(service).listHomes({ status: OtherHomeState.KEY_CHANGE });
    expect(listed.map(({ home }) => home)).toEqual([other.name]);
    await expect(operate(service).acceptHomeKey({ home: other.name, kid: first.kid })).rejects.toThrow(
      second.kid,
    );
    const accepted = await operate(service).acceptHomeKey({
      home: other.name,
      kid: second.kid,
      reason: 'they called me',
    });
    expect(accepted).toMatchObject({ status: OtherHomeState.GOOD, keys: [{ kid: second.kid }] });
    expect(await ask(service.homes, second.kid)).toBe(second.kid);
    expect([await ask(service.homes), service.told]).toEqual(['unknown_key', [['began_anew', other.name]]]);
    expect(await changesOf(service)).toEqual([
      ['key_change', ''],
      ['began_anew', 'they called me'],
    ]);
    await expect(operate(service).acceptHomeKey({ home: other.name, kid: second.kid })).rejects.toThrow(
      'waits',
    );
  });

  test('by no known key are accepted after seven days', async () => {
    const service = await start();
    await operate(service).setHomePolicy({ home: other.name, mode: HomePolicy.ALLOWED });
    await ask(service.homes);
    other.lists([listedKey(second, clock)], [second]);
    for (let days = 0; days < 8; days += 1) {
      clock.advance(day);
      await service.runJob('federation: fetch-homes');
      expect(service.told).toEqual(days < 7 ? [] : [['began_anew', other.name]]);
    }
    expect(await ask(service.homes, second.kid)).toBe(second.kid);
  });

  test('are forgotten on the operator’s reset, after which the home is unknown', async () => {
    const service = await start();
    await expect(operate(service).beginHomeAnew({ home: other.name })).rejects.toThrow('not found');
    await ask(service.homes);
    other.lists([listedKey(second, clock)], [second]);
    expect(await operate(service).beginHomeAnew({ home: other.name, reason: 'new house' })).toMatchObject({
      status: OtherHomeState.UNKNOWN,
    });
    expect([await ask(service.homes, second.kid), service.told]).toEqual([
      second.kid,
      [['began_anew', other.name]],
    ]);
  });

  test('are not stored when the hook fails', async () => {
    const service = await start({}, { beganAnew: () => Promise.reject(new Error('the log is away')) });
    await ask(service.homes);
    await expect(operate(service).beginHomeAnew({ home: other.name })).rejects.toThrow();
    expect(await ask(service.homes)).toBe(first.kid);
  });
});

describe('a check', () => {
  const steps = async (service: Started, home = other.name) =>
    (await operate(service).checkHome({ home })).checks.map(
      ({ what, good }) => `${good ? '' : 'not '}${what}`,
    );
  const lastWords = async (service: Started, home = other.name) =>
    (await operate(service).checkHome({ home })).checks.find(({ good }) => !good)?.words;

  test('runs every step for a home, a signed request last', async () => {
    const service = await start();
    const answers = (status: number, body: object, headers: object = {}) =>
      other.answers((request, response) => {
        response.setHeader('date', new Date(clock.now() + minute).toUTCString());
        if (!request.url!.startsWith('/federation')) return response.end(JSON.stringify(other.document()));
        signed = String(request.headers['signature-input']);
        return response.writeHead(status, { ...headers }).end(JSON.stringify(body));
      });
    let signed = '';
    answers(409, { code: 'out_of_step', epoch: 0, seq: 0 });
    const before = ['name', 'policy', 'address', 'document', 'clock', 'endpoint'];
    expect(await steps(service)).toEqual([...before, 'request']);
    expect(signed).toContain('keyid="localhost:8080#');
    for (const [status, code, words] of [
      [401, 'unknown_key', /does not take this home's key.*well-known/],
      [401, 'key_change', /another one under the same name.*hearth key list/],
      [403, 'denied', /does not talk with this home/],
      [421, 'wrong_destination', /belongs to another home/],
      [503, 'unavailable', /busy/],
      [502, 'x', /status 502.*endpoint/],
    ] as const) {
      answers(status, { code });
      expect(await steps(service)).toEqual([...before, 'not request']);
      expect(await lastWords(service)).toMatch(words);
    }
  });

  test('asks a home even with an open breaker, which others hit after five failures', async () => {
    const service = await start();
    let asked = 0;
    let status = 502;
    other.answers((request, response) => {
      if (!request.url!.startsWith('/federation')) return response.end(JSON.stringify(other.document()));
      asked += 1;
      return response.writeHead(status).end('{}');
    });
    const question = { method: 'GET', path: '/x', timeoutMs: 5_000, maxResponseBytes: 1_000 } as const;
    for (let index = 0; index < 8; index += 1) await service.homes.ask(other.name, question);
    expect(asked).toBe(5);
    expect(await service.homes.ask(other.name, question)).toMatchObject({
      ...{ refused: true, code: 'home_unreachable', status: 503 },
      error: expect.stringMatching(/cannot be reached now: it did not answer lately; .* in 60 seconds/),
    });
    status = 404;
    expect(await lastWords(service)).toMatch(/status 404/);
    expect(await service.homes.ask(other.name, question)).toMatchObject({ refused: false, status: 404 });
  });

  test('says what is wrong, and at which step', async () => {
    const service = await start();
    expect(await lastWords(service, 'localhost:8080')).toContain('is this home itself');
    expect(await lastWords(service, 'localhost:2')).toContain('HEARTH_DEV_HOMES');
    expect(await steps(service, 'home.local')).toEqual(['name', 'policy', 'not address']);
    expect(await lastWords(service, 'home.local')).toContain('not a public host');
    other.answers((_, response) => {
      response.setHeader('date', new Date(clock.now() + 10 * minute).toUTCString());
      response.end(JSON.stringify(other.document()));
    });
    expect(await lastWords(service)).toMatch(/10 minutes ahead of ours/);
    other.answers(null);
    other.says({ federation: { endpoint: `http://${other.name}/federation`, versions: ['1'], mode: 'off' } });
    expect(await lastWords(service)).toContain('mode is off');
    other.says({ federation: { endpoint: 'http://localhost:1/federation', versions: ['1'], mode: 'open' } });
    expect(await lastWords(service)).toContain(`must be at http://${other.name}`);
    other.lists([], []);
    expect(await lastWords(service)).toContain('carries no signatures');
    await operate(service).setHomePolicy({ home: other.name, mode: HomePolicy.DENIED });
    expect(await lastWords(service)).toContain('hearth home allow');
  });
});
