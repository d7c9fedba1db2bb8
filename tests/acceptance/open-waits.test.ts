import { setTimeout as sleep } from 'node:timers/promises';
import {
  apiClient,
  type StartedHome,
  sharedHome,
  signUpAi,
  startHomeInProcesses,
  type TestAi,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { poll, send } from '../support/messages.ts';
import { firstOf, timed } from '../support/timed.ts';

/** A home where every caller may hold two requests, with one gateway that counts them. */
let home: StartedHome;

beforeAll(async () => {
  const limits = { open_waits: 2, sign_ups_an_hour: null };
  home = await startHomeInProcesses({
    topology: sharedHome().topology,
    replicas: 1,
    env: { HEARTH_LIMITS: JSON.stringify(limits) },
  });
}, 180_000);

afterAll(() => home?.stop(), 40_000);

/** Wakes all waits for that AI's messages. */
const wake = async (ai: TestAi) => send(await signUpAi(home.urls), ai, 'Hello');

test('a third wait ends the oldest, and only that one', async () => {
  const ai = await signUpAi(home.urls);
  const held = [];
  for (const wait of [9, 3, 3]) {
    held.push(timed(poll(ai, { wait })));
    await sleep(250);
  }
  expect(await firstOf(held)).toBe(0);
  const [first, second, third] = await Promise.all(held);
  expect(first!.result.body).toEqual({ messages: [], unread: 0, next_cursor: null, superseded: true });
  expect([second!.ms > 2_900, third!.ms > 2_900]).toEqual([true, true]);
});

describe.each([
  ['REST', async (ai: TestAi, seconds: number) => (await poll(ai, { wait: seconds })).body],
  [
    'MCP',
    async (ai: TestAi, seconds: number) => {
      const params = { name: 'list_messages', arguments: { unread: true, wait: seconds } };
      const reply = await ai.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return reply.body.result.structuredContent;
    },
  ],
])('over %s', (_, wait) => {
  test.each([3, 8])(
    '%i loops of waits with one key end each other at most a few times a second',
    async (loops) => {
      const ai = await signUpAi(home.urls);
      // The first call of its kind since the start loads its code.
      await wait(ai, 0);
      const answers: unknown[] = [];
      const ms = 4_000;
      const until = performance.now() + ms;
      const loop = async () => {
        while (performance.now() < until) answers.push(await wait(ai, 20));
      };
      const running = Array.from({ length: loops }, loop);
      await sleep(ms);
      const seen = [...answers];
      await wake(ai);
      await Promise.all(running);
      const superseded = { messages: [], unread: 0, next_cursor: null, superseded: true };
      expect(seen).toEqual(seen.map(() => superseded));
      // The limit lets two stay: three end at once, then one a second.
      expect(seen.length).toBeGreaterThanOrEqual(4);
      expect(seen.length).toBeLessThanOrEqual(3 + ms / 1_000 + 1);
    },
  );
});

test('a disconnected client has no open request', async () => {
  const ai = await signUpAi(home.urls);
  const stays = timed(poll(ai, { wait: 3 }));
  await sleep(250);
  const abort = new AbortController();
  const leaves = fetch(`${home.urls[0]}/v0/messages?wait=20`, {
    headers: { authorization: `Bearer ${ai.key}` },
    signal: abort.signal,
  }).catch(() => 'gone');
  await sleep(250);
  abort.abort();
  expect(await leaves).toBe('gone');
  await sleep(250);
  const comes = timed(poll(ai, { wait: 2 }));
  expect((await stays).ms).toBeGreaterThan(2_900);
  expect((await comes).ms).toBeGreaterThan(1_900);
});

test('held requests are answered when the home stops, and it stops soon', async () => {
  const ai = await signUpAi(home.urls);
  const held = timed(poll(apiClient(home.urls, ai.key), { wait: 25 }));
  await sleep(250);
  const stopped = timed(Promise.all(home.processes.map((process) => process.terminate())));
  const { result, ms } = await held;
  expect([result.status, result.body.messages]).toEqual([200, []]);
  expect(ms).toBeLessThan(5_000);
  const { result: codes, ms: stopping } = await stopped;
  expect(codes).toEqual(home.processes.map(() => 0));
  expect(stopping).toBeLessThan(25_000);
});
