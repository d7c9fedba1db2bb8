import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { askOver, keptAgent } from './support/kept-agent.ts';
import { ask } from './support/request.ts';
import type { TestGatewayOptions } from './support/test-gateway.ts';
import { useGateways } from './support/use-gateways.ts';

const key = 'key-of-robin';
const start = useGateways();

describe('a held request', () => {
  function mailbox() {
    const texts: string[] = [];
    const options: TestGatewayOptions = {
      messages: {
        listMessages: async ({ wait }, call) => {
          if (texts.length === 0 && wait > 0) call.waitOn('inbox');
          return { messages: texts.map((text) => ({ text })) };
        },
      },
    };
    return { texts, options };
  }

  test('is answered when its topic is woken', async () => {
    const { texts, options } = mailbox();
    const home = await start(options);
    const began = performance.now();
    const answer = ask(home.url, '/v0/messages?unread=true&wait=25', { key });
    await pause(200);
    texts.push('Hello');
    home.wake('inbox');
    expect((await answer).json).toMatchObject({ messages: [{ text: 'Hello' }] });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('is answered with what there is when the process drains, and the connection ends', async () => {
    const { options } = mailbox();
    const home = await start(options);
    const answer = askOver(keptAgent(), key, `${home.url}/v0/messages?wait=25`);
    await pause(100);
    const drained = home.drain();
    expect(await answer).toMatchObject({
      status: 200,
      text: expect.stringContaining('"messages":[]'),
      headers: { connection: 'close' },
    });
    await drained;
    await expect(ask(home.url, '/health')).rejects.toThrow('ECONNREFUSED');
  });

  test.each([
    ['/v0/me', 'an operation'],
    ['/.well-known/service.json', 'a document'],
  ])('leaves %s in hand its time when the process drains, and no longer', async (path) => {
    const home = await start({
      identity: { whoami: () => pause(150, {}) },
      federation: { getHomeDocument: () => pause(150, { json: '{}', etag: 'a' }) },
    });
    const answer = askOver(keptAgent(), key, `${home.url}${path}`);
    await pause(50);
    const began = performance.now();
    await home.drain();
    expect((await answer).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('and one too many answers the oldest', async () => {
    const { options } = mailbox();
    const home = await start({ ...options, env: { HEARTH_LIMITS: '{"open_waits": 2}' } });
    const order: number[] = [];
    for (const index of [0, 1, 2]) {
      void ask(home.url, '/v0/messages?wait=25', { key }).then(
        () => order.push(index),
        () => {},
      );
      await pause(60);
    }
    expect(order).toEqual([0]);
  });
});
