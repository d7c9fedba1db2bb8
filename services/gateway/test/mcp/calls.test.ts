import { setTimeout as pause } from 'node:timers/promises';
import { badRequest, forbidden, HearthError, internal, notFound } from '@hearth/errors';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { mailbox } from '../support/mailbox.ts';
import { type Answered, ask, keptAgent } from '../support/request.ts';
import { useGateways } from '../support/use-gateways.ts';
import { callTool, legacy, lifecycles, modern, type Result } from './rpc.ts';

const key = 'key-of-robin';
const start = useGateways();
const post = (url: string, body: unknown) => ask(url, '/v0/messages', { key, body });

describe('what goes wrong', () => {
  test.each([
    ['a field that there is not', { txt: 'x' }],
    ['a field of the wrong kind', { text: 5 }],
    ['a field that must be given', {}],
    ['a text that is too long', { text: 'x'.repeat(8_001) }],
  ])('%s has the same message as over REST', async (_, given) => {
    const home = await start();
    const rest = await post(home.url, given);
    for (const [, lifecycle] of lifecycles) {
      const result = await callTool(lifecycle(home.url, key), 'send_message', given);
      expect(result).toMatchObject({ isError: true, structuredContent: rest.json });
      expect(result.content).toEqual([{ type: 'text', text: rest.json.error }]);
    }
  });

  test.each([
    ['no such thing', notFound()],
    ['a conflict', badRequest('the slot is taken', { code: 'slot_taken' })],
    ['what a person has to do', forbidden('ask yours', { code: 'needs_person', needsPerson: true })],
    ['what is not built', new HearthError('not_built', 'not built yet', { code: 'not_built' })],
    ['a service that is away', new HearthError('unavailable', 'messages is away', { code: 'unavailable' })],
  ])('%s has the same message as over REST', async (_, error) => {
    const home = await start({ messages: { sendMessage: () => Promise.reject(error) } });
    const rest = await post(home.url, { text: 'x' });
    const result = await callTool(modern(home.url, key), 'send_message', { text: 'x' });
    expect(result).toMatchObject({ isError: true, structuredContent: rest.json });
    expect(rest.status).toBeGreaterThanOrEqual(400);
  });

  test('an internal error is logged, and reported without details', async () => {
    const home = await start({
      messages: { sendMessage: () => Promise.reject(internal('the password is 1234')) },
    });
    const result = await callTool(legacy(home.url, key), 'send_message', { text: 'x' });
    expect(result.content[0]!.text).toMatch(
      /^something went wrong inside the home \(request [0-9a-f-]{36}\)$/,
    );
    expect(JSON.stringify(result)).not.toContain('1234');
    const [, id] = /request ([0-9a-f-]{36})/.exec(result.content[0]!.text)!;
    expect(home.logged.some((line) => line.includes(id!) && line.includes('send_message'))).toBe(true);
  });

  test.each(lifecycles)('arguments must be an object: %s', async (_, lifecycle) => {
    const home = await start();
    for (const given of [[], '{}', 5]) {
      const params = { name: 'send_message', arguments: given };
      const { status, json } = await lifecycle(home.url, key)('tools/call', params);
      expect([status, json]).toMatchObject([
        200,
        { error: { code: -32_602, message: expect.stringContaining('JSON object') } },
      ]);
    }
    // Some languages send null for no arguments.
    const none = await callTool(lifecycle(home.url, key), 'send_message', null as unknown as object);
    expect(none.structuredContent).toMatchObject({ code: 'bad_field', field: 'text' });
  });

  test('a tag, which only HTTP uses, is refused instead of ignored', async () => {
    const home = await start({ profile: { getCard: async () => ({}) } });
    const result = await callTool(legacy(home.url, key), 'card', { address: '@ann', if: '"x"' });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'unknown_field', field: 'if' },
    });
  });
});

describe('limits', () => {
  test('share their counters with REST', async () => {
    const env = { HEARTH_LIMITS: JSON.stringify({ writes_a_minute: 3 }) };
    const home = await start({ env, messages: { sendMessage: async () => ({}) } });
    const rpc = modern(home.url, key);
    await post(home.url, { text: 'x' });
    await callTool(rpc, 'send_message', { text: 'x' });
    const last = await rpc('tools/call', { name: 'send_message', arguments: { text: 'x' } });
    expect(last.headers.ratelimit).toContain('"writes_a_minute";r=0');
    const refused = await callTool(rpc, 'send_message', { text: 'x' });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { code: 'rate_limited', limit: 'writes_a_minute', resets_at: expect.any(String) },
    });
    expect((await post(home.url, { text: 'x' })).status).toBe(429);
  });

  test('also count methods that are no operation, whose refusal is an HTTP error', async () => {
    const env = { HEARTH_LIMITS: JSON.stringify({ reads_a_minute: { unclaimed: 2 } }) };
    const home = await start({ env });
    const rpc = legacy(home.url, key);
    expect([(await rpc('tools/list')).status, (await rpc('ping')).status]).toEqual([200, 200]);
    const refused = await rpc('tools/list');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      json: { id: 1, error: { code: -32_013, data: { limit: 'reads_a_minute', max: 2 } } },
    });
  });
});

describe('a call that waits', () => {
  const wait = { name: 'list_messages', arguments: { unread: true, wait: 25 } };
  const contentOf = ({ json }: Answered) => (json as Result).result?.structuredContent;

  test.each(lifecycles)('is answered when its topic is woken (%s)', async (_, lifecycle) => {
    const { texts, asked, options } = mailbox();
    const home = await start(options);
    const began = performance.now();
    const answer = lifecycle(home.url, key)('tools/call', wait);
    await eventually(() => asked.times > 0);
    texts.push('Hello');
    home.wake('inbox');
    expect(contentOf(await answer)).toMatchObject({ untrusted: { '/messages/0/text': 'Hello' } });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('shares the bound of open waits with REST', async () => {
    const { asked, options } = mailbox();
    const home = await start(options);
    const first = modern(home.url, key)('tools/call', wait);
    await eventually(() => asked.times >= 1);
    const second = ask(home.url, '/v0/messages?unread=true&wait=25', { key });
    // An AI without an owner may hold one wait, so the other is answered at once.
    expect((await first).json).toMatchObject({ result: { structuredContent: { messages: [] } } });
    home.wake('inbox');
    await home.stop();
    expect((await second).status).toBe(200);
  });

  test('is answered when the process drains', async () => {
    const { asked, options } = mailbox();
    const home = await start(options);
    const answer = legacy(home.url, key)('tools/call', wait);
    await eventually(() => asked.times > 0);
    const drained = home.stop();
    expect((await answer).json).toMatchObject({ result: { structuredContent: { messages: [] } } });
    await drained;
  });

  test('ends when its client goes away', async () => {
    const { asked, options } = mailbox();
    const home = await start(options);
    const gone = new AbortController();
    const answer = fetch(`${home.url}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait }),
    });
    await eventually(() => asked.times > 0);
    gone.abort();
    await expect(answer).rejects.toThrow('abort');
    // The home notices a moment later.
    await pause(200);
    const before = asked.times;
    home.wake('inbox');
    await pause(200);
    expect(asked.times).toBe(before);
  });

  test('concurrent calls share a connection and are answered separately', async () => {
    const home = await start({
      env: { HEARTH_LIMITS: 'relaxed' },
      profile: { getCard: async ({ address }) => ({ address }) },
    });
    const agent = keptAgent();
    expect((await ask(home.url, '/v0/limits', { agent, key })).status).toBe(200);
    const addresses = Array.from({ length: 50 }, (_, index) => `@ann${index}`);
    const results = await Promise.all(
      addresses.map((address, index) =>
        callTool((index % 2 === 0 ? legacy : modern)(home.url, key), 'card', { address }),
      ),
    );
    expect(results.map(({ structuredContent }) => structuredContent.address)).toEqual(addresses);
  });
});
