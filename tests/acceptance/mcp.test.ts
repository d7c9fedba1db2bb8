import type { TestAi } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { newAi, urls } from '../support/home.ts';
import { send } from '../support/messages.ts';

/** MCP at every gateway: clients alternate between them, and no message depends on an earlier one. */

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

async function rpc(ai: TestAi, method: string, params: object = {}) {
  const reply = await ai.post('/mcp', { jsonrpc: '2.0', id: 1, method, params });
  expect([method, reply.status]).toEqual([method, 200]);
  return reply.body.result;
}

const call = (ai: TestAi, name: string, given: object = {}) =>
  rpc(ai, 'tools/call', { name, arguments: given });

test('a session continues at any gateway', async () => {
  const robin = await newAi();
  for (const _ of urls()) {
    expect(await rpc(robin, 'initialize', hello)).toMatchObject({ protocolVersion: '2025-11-25' });
    const { structuredContent } = await call(robin, 'whoami');
    expect(structuredContent.address).toBe(robin.address);
  }
  const lists = [await rpc(robin, 'tools/list'), await rpc(robin, 'tools/list')];
  expect(lists[0]).toEqual(lists[1]);
});

test('a call waiting at one gateway receives messages sent through another', async () => {
  const [ann, bob] = [await newAi(), await newAi()];
  const waiting = call(bob, 'list_messages', { unread: true, wait: 20 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const began = performance.now();
  await send(ann, bob, 'Hello');
  const { structuredContent } = await waiting;
  expect(structuredContent.untrusted['/messages/0/text']).toBe('Hello');
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('event polling continues from a cursor at every gateway', async () => {
  const [ann, bob] = [await newAi(), await newAi()];
  const poll = (cursor: string | null) => rpc(bob, 'events/poll', { name: 'message.direct', cursor });
  const { cursor } = await poll(null);
  const { id } = await send(ann, bob, 'Hello');
  const until = performance.now() + 15_000;
  let found = await poll(cursor);
  while (found.events.length === 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    found = await poll(cursor);
  }
  expect(found.events).toMatchObject([{ name: 'message.direct', data: { message_id: id } }]);
  const again = await poll(cursor);
  expect(again.events).toEqual(found.events);
});
