import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { eventually, fake } from '@hearth/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { anAi } from './support/peers.ts';
import { raw } from './support/raw.ts';
import { type Asking, ask } from './support/request.ts';
import { operatorKey } from './support/test-gateway.ts';
import { useGateways } from './support/use-gateways.ts';

const start = useGateways();
const app = 'key-of-the-app';
const hex = (digit: string) => digit.repeat(32);
const ada = `per_${hex('a')}`;
const bob = `per_${hex('b')}`;
const owl = `ai_${hex('c')}`;
const childs = `ai_${hex('d')}`;
const scopes = [Scope.READ, Scope.MESSAGE];

const held = (id: string): Partial<Caller> => ({
  kind: CallerKind.PERSON,
  id,
  app: 'app',
  via: Via.APP,
  scopes,
});

const keys = {
  [app]: { kind: CallerKind.APP, id: 'app', app: 'app', via: Via.APP },
  [`${app} ${ada}`]: held('ada'),
  [`${app} ${bob}`]: held('bob'),
  [`${app} ${owl}`]: {
    kind: CallerKind.AI,
    id: 'owl',
    person: 'ada',
    app: 'app',
    aiStatus: AiStatus.CLAIMED,
    scopes: [Scope.READ],
  },
  [`${app} ${childs}`]: 'child',
  [`${app} per_${hex('e')}`]: 'not_held',
  'key-of-robin': anAi,
  [`key-of-robin ${ada}`]: 'not_an_app',
};

let seen: Caller[] = [];
afterEach(() => {
  seen = [];
});

const noted = async (_request: unknown, { caller }: { caller: Caller }) => {
  seen.push(caller);
  return {};
};

const startApp = (more: object = {}) =>
  start({
    keys,
    profile: { whoami: noted },
    messages: { listMessages: noted, sendMessage: noted },
    fakes: [fake(AppsService, { getApp: noted, updateApp: noted })],
    ...more,
  });

const as = (actingFor: string, key = app): Asking => ({ key, headers: { 'svc-acting-for': actingFor } });

describe('Svc-Acting-For', () => {
  test('names the person or AI that the app acts for, in each request', async () => {
    const home = await startApp();
    for (const asking of [as(ada), as(bob), { key: app }, as(owl), as(ada)]) {
      expect((await ask(home.url, '/v0/me', asking)).status).toBe(200);
    }
    expect(seen.map(({ kind, id, app: by }) => [kind, id, by])).toEqual([
      [CallerKind.PERSON, 'ada', 'app'],
      [CallerKind.PERSON, 'bob', 'app'],
      [CallerKind.APP, 'app', 'app'],
      [CallerKind.AI, 'owl', 'app'],
      [CallerKind.PERSON, 'ada', 'app'],
    ]);
    expect(seen.every(({ via }, index) => index === 3 || via === Via.APP)).toBe(true);
  });

  test('gives an AI no additional permissions', async () => {
    const home = await startApp();
    const send = (actingFor: string) =>
      ask(home.url, '/v0/messages', { ...as(actingFor), body: { text: 'x' } });
    expect((await send(ada)).status).toBe(201);
    expect(await send(owl)).toMatchObject({ status: 403, json: { code: 'no_permission' } });
  });

  test.each([
    [
      'somebody whom the app does not hold',
      as(`per_${hex('e')}`),
      403,
      /^Svc-Acting-For names nobody that this app holds$/,
    ],
    ['an AI of a child whose guardian does not allow it', as(childs), 403, /under 18/],
    ['what is no id', as('@ada'), 400, /^Svc-Acting-For: must be one id/],
    ['two ids', as(`${ada}, ${bob}`), 400, /^Svc-Acting-For: must be one id/],
    ['nothing', as(''), 400, /^Svc-Acting-For: must be one id/],
    ['anybody, with the key of an AI', as(ada, 'key-of-robin'), 400, /only an app/],
    ["anybody, with the operator's key", as(ada, operatorKey), 400, /only an app/],
    ['anybody, with a key that is none', as(ada, 'wrong'), 401, /key is not valid/],
    ['anybody, without a key', { headers: { 'svc-acting-for': ada } }, 401, /key of an app/],
  ])('naming %s is refused', async (_, asking, status, words) => {
    const home = await startApp();
    // Twice, because the second answer comes from the cache.
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await ask(home.url, '/v0/me', asking);
      expect([answer.status, answer.json.error]).toEqual([status, expect.stringMatching(words)]);
      if (status === 403) expect(answer.json.code).toBe('no_permission');
    }
    expect(seen).toEqual([]);
  });

  test('sent in two header lines is refused', async () => {
    const home = await startApp();
    const lines = [`Svc-Acting-For: ${ada}`, `Svc-Acting-For: ${bob}`].join('\r\n');
    const answer = await raw(
      home.port,
      `GET /v0/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app}\r\n${lines}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*must be one id/s);
  });
});

describe('the cache of callers', () => {
  test('has an entry for each person that an app acts for: answers never mix', async () => {
    const home = await startApp({
      profile: {
        whoami: async (_: unknown, call: { caller: Caller; validFor(ms: number): void }) => {
          call.validFor(60_000);
          return { address: `@${call.caller.id}` };
        },
      },
    });
    const whoami = async (asking: Asking) => (await ask(home.url, '/v0/me', asking)).json.address;
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await Promise.all([as(ada), as(bob), { key: app }].map(whoami))).toEqual([
        '@ada',
        '@bob',
        '@app',
      ]);
    }
  });

  test('evicts an entry when its app, person or AI changed', async () => {
    let asked = 0;
    const home = await startApp({
      profile: { whoami: noted },
      identity: {
        resolveCredential: async () => {
          asked += 1;
          return { caller: keys[`${app} ${owl}`] as Caller };
        },
      },
    });
    for (const changed of ['app', 'ada', 'owl']) {
      await ask(home.url, '/v0/me', as(owl));
      const before = asked;
      await ask(home.url, '/v0/me', as(owl));
      expect(asked).toBe(before);
      home.bus.signal('credentials', Buffer.from(changed));
      await eventually(async () => {
        await ask(home.url, '/v0/me', as(owl));
        return asked > before;
      });
    }
  });

  test('is checked again while a request is held', async () => {
    const callers: Record<string, unknown> = { ...keys };
    let holds = 0;
    const home = await startApp({
      keys: callers,
      identity: {
        resolveCredential: async () =>
          holds === 0 ? { caller: keys[`${app} ${ada}`] as Caller } : { refusal: 'not_held' },
      },
      messages: {
        listMessages: async (_: unknown, call: { waitOn(topic: string): void }) => {
          call.waitOn('messages:ada');
          return { messages: [] };
        },
      },
    });
    const waiting = ask(home.url, '/v0/messages?wait=25', as(ada));
    await new Promise((resolve) => setTimeout(resolve, 200));
    holds = 1;
    home.bus.signal('credentials', Buffer.from('ada'));
    expect(await waiting).toMatchObject({ status: 403, json: { error: expect.stringContaining('nobody') } });
  });
});

describe('limits', () => {
  test('of reads and writes count for the app, whoever it acts for', async () => {
    const home = await startApp({
      env: { HEARTH_LIMITS: '{"reads_a_minute": {"app": 3, "unclaimed": 1, "claimed": 1}}' },
    });
    const statuses = [];
    for (const asking of [as(ada), as(bob), as(owl), { key: app }]) {
      statuses.push((await ask(home.url, '/v0/me', asking)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask(home.url, '/v0/me', { key: 'key-of-robin' })).status).toBe(200);
  });

  test('bound guesses at who uses an app', async () => {
    const home = await startApp({ env: { HEARTH_LIMITS: '{"reads_a_minute": {"anyone": 2}}' } });
    const statuses = [];
    for (const digit of ['0', '1', '2']) {
      statuses.push((await ask(home.url, '/v0/me', as(`per_${hex(digit)}`, 'wrong'))).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
    expect((await ask(home.url, '/v0/me', as(ada))).status).toBe(200);
  });

  test('of waits held at once count for the app', async () => {
    const home = await startApp({
      env: { HEARTH_LIMITS: '{"open_waits": {"app": 2}}' },
      messages: {
        listMessages: async (_: unknown, call: { caller: Caller; waitOn(topic: string): void }) => {
          call.waitOn(`messages:${call.caller.id}`);
          return { messages: [] };
        },
      },
    });
    const ended: string[] = [];
    const waits = [as(ada), as(bob), as(owl)].map(async (asking, index) => {
      await new Promise((resolve) => setTimeout(resolve, 150 * index));
      await ask(home.url, '/v0/messages?wait=2', asking);
      ended.push(['ada', 'bob', 'owl'][index]!);
    });
    await eventually(() => ended.length > 0);
    expect(ended).toEqual(['ada']);
    await Promise.all(waits);
  });
});
