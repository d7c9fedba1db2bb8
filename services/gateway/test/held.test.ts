import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { mailbox } from './support/mailbox.ts';
import { ask, keptAgent } from './support/request.ts';
import { useGateways } from './support/use-gateways.ts';

const key = 'key-of-robin';
const start = useGateways();

describe('a held request', () => {
  test('is answered when its topic is woken', async () => {
    const { texts, asked, options } = mailbox();
    const home = await start(options);
    const began = performance.now();
    const answer = ask(home.url, '/v0/messages?unread=true&wait=25', { key });
    await eventually(() => asked.times > 0);
    texts.push('Hello');
    home.wake('inbox');
    expect((await answer).json).toMatchObject({ messages: [{ text: 'Hello' }] });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('is answered when the process drains, and the connection ends', async () => {
    const { asked, options } = mailbox();
    const home = await start(options);
    const answer = ask(home.url, '/v0/messages?wait=25', { agent: keptAgent(), key });
    await eventually(() => asked.times > 0);
    const drained = home.stop();
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
    let inHand = false;
    const slowly = <Answer>(answer: Answer) => {
      inHand = true;
      return pause(150, answer);
    };
    const home = await start({
      profile: { whoami: () => slowly({}) },
      federation: { getHomeDocument: () => slowly({ json: '{}', etag: 'a' }) },
    });
    const answer = ask(home.url, path, { agent: keptAgent(), key });
    await eventually(() => inHand);
    const began = performance.now();
    await home.stop();
    expect((await answer).status).toBe(200);
    // Not as late as the connection is cut, after ten seconds.
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  test('one more than allowed ends the oldest', async () => {
    const { asked, options } = mailbox();
    const home = await start({ ...options, env: { HEARTH_LIMITS: '{"open_waits": 2}' } });
    const order: number[] = [];
    for (const index of [0, 1, 2]) {
      const before = asked.times;
      void ask(home.url, '/v0/messages?wait=25', { key }).then(
        () => order.push(index),
        () => {},
      );
      await eventually(() => asked.times > before || order.length > 0);
    }
    await eventually(() => order.length > 0);
    expect(order).toEqual([0]);
  });
});
