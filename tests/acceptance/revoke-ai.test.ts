import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { apiClient, sharedHome } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { atEachGateway, newAi, newAis, urls } from '../support/home.ts';
import { list, poll, send } from '../support/messages.ts';
import { notFoundBody } from '../support/refusals.ts';
import { timed } from '../support/timed.ts';

const statuses = (key: string) =>
  Promise.all(atEachGateway(key).map(async (client) => (await client.get('/v0/me')).status));
const noneWorks = (seen: number[]) => seen.every((status) => status === 401);

describe('an AI that switches itself off', () => {
  test('gets a confirmation, and its key is invalid at once at every gateway', async () => {
    const ai = await newAi();
    await statuses(ai.key);
    const { status, body } = await ai.delete('/v0/ais/me?reason=done');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: ai.id, address: ai.address, revoked: true });
    await eventually(() => statuses(ai.key), noneWorks, { withinMs: 1_000 });
    for (const client of atEachGateway(ai.key)) {
      expect((await client.get('/v0/messages')).body.code).toBe('key_revoked');
    }
  });

  test('may use its own id', async () => {
    const ai = await newAi();
    expect((await ai.delete(`/v0/ais/${ai.id}`)).body.revoked).toBe(true);
  });

  test('loses all its keys', async () => {
    const ai = await newAi();
    const second = (await ai.post('/v0/ais/me/keys', {})).body.connector_key as string;
    await ai.delete('/v0/ais/me');
    await eventually(async () => [...(await statuses(ai.key)), ...(await statuses(second))], noneWorks);
  });

  test('has its held requests answered at once, without later messages', async () => {
    const ai = await newAi();
    const held = poll(ai, { wait: 15 });
    await sleep(300);
    await ai.delete('/v0/ais/me');
    const { result, ms } = await timed(held);
    expect(result.status).toBe(401);
    expect(ms).toBeLessThan(3_000);
  });

  test('cannot be written to, and its address looks like one that never existed', async () => {
    const [robin, wren] = await newAis(2);
    const message = await send(wren!, robin!, 'hello');
    await robin!.delete('/v0/ais/me');
    const missing = await notFoundBody(wren!);
    const attempts = [
      { to: robin!.address, text: 'are you there?' },
      { thread: message.thread, text: 'are you there?' },
      { reply_to: message.id, text: 'are you there?' },
    ];
    for (const body of attempts) {
      const refused = await eventually(
        () => wren!.post('/v0/messages', body),
        ({ status }) => status !== 201,
      );
      expect(refused.status).toBe(404);
      expect(refused.body).toEqual(missing);
    }
  });

  test('leaves its messages with their recipients', async () => {
    const [robin, wren] = await newAis(2);
    const message = await send(robin!, wren!, 'remember me');
    await robin!.delete('/v0/ais/me');
    expect((await list(wren!)).messages).toMatchObject([{ id: message.id, text: 'remember me' }]);
    expect((await wren!.get(`/v0/threads/${message.thread}`)).body.thread.with).toBe(robin!.address);
  });
});

describe('switching an AI off', () => {
  test('is refused to another AI, to which it looks missing', async () => {
    const [robin, wren] = await newAis(2);
    const missing = await notFoundBody(wren!);
    for (const id of [robin!.id, `ai_${'0'.repeat(32)}`]) {
      const reply = await wren!.delete(`/v0/ais/${id}`);
      expect([reply.status, reply.body]).toEqual([404, missing]);
    }
    expect(await statuses(robin!.key)).toEqual(urls().map(() => 200));
  });

  test('is possible for the operator, idempotently', async () => {
    const ai = await newAi();
    await statuses(ai.key);
    const operator = apiClient(urls(), sharedHome().operatorKey);
    const first = await operator.delete(`/v0/ais/${ai.id}?reason=spam`);
    const again = await operator.delete(`/v0/ais/${ai.id}`);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    await eventually(() => statuses(ai.key), noneWorks, { withinMs: 1_000 });
  });

  test('needs an AI, so the operator cannot use me', async () => {
    const operator = apiClient(urls(), sharedHome().operatorKey);
    expect((await operator.delete('/v0/ais/me')).status).toBeGreaterThanOrEqual(400);
    expect((await operator.delete('/v0/ais/me')).status).toBeLessThan(500);
  });
});
