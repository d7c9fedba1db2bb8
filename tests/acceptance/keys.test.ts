import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { apiClient, type TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { atEachGateway, expectStatus, newAi, newAis, urls } from '../support/home.ts';
import { poll, send } from '../support/messages.ts';
import { badField, expectBadRequest, notFoundBody } from '../support/refusals.ts';
import { timed } from '../support/timed.ts';

const rotate = (ai: { post: TestAi['post'] }, body: unknown = {}) => ai.post('/v0/ais/me/keys', body);
const statuses = (key: string) =>
  Promise.all(atEachGateway(key).map(async (client) => (await client.get('/v0/me')).status));

/** Makes every gateway cache the key. */
const warm = (key: string) => statuses(key);

describe('a new key', () => {
  test('is shown once, and is valid everywhere beside the old one', async () => {
    const ai = await newAi();
    await warm(ai.key);
    const { status, body } = await rotate(ai);
    expect(status).toBe(201);
    expect(body.connector_key).not.toBe(ai.key);
    expect(await statuses(body.connector_key)).toEqual(urls().map(() => 200));
    expect(await statuses(ai.key)).toEqual(urls().map(() => 200));
    const renewed = apiClient(urls(), body.connector_key);
    expect((await renewed.get('/v0/me')).body.address).toBe(ai.address);
  });

  test('is listed with the old ones, identified by their first characters', async () => {
    const ai = await newAi();
    const { body } = await rotate(ai);
    expect(body.keys).toHaveLength(2);
    const [newest, oldest] = body.keys as { prefix: string; created_at: string; ends_at: string | null }[];
    expect(body.connector_key.startsWith(newest!.prefix)).toBe(true);
    expect(ai.key.startsWith(oldest!.prefix)).toBe(true);
    expect(newest!.ends_at).toBeNull();
    const keptMinutes = (Date.parse(oldest!.ends_at!) - Date.parse(newest!.created_at)) / 60_000;
    expect(keptMinutes).toBeCloseTo(60, 1);
    for (const key of body.keys) expect(key.prefix.length).toBeLessThan(20);
  });

  test('from a repeated request is the same', async () => {
    const ai = await newAi();
    const first = await rotate(ai, { request_id: 'lost' });
    const again = await rotate(ai, { request_id: 'lost' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    const other = await rotate(ai, { request_id: 'lost', reason: 'leaked' });
    expectBadRequest(other, { code: 'request_id_reused' });
  });

  test("requested with the AI's id is the same as with me", async () => {
    const ai = await newAi();
    expect((await ai.post(`/v0/ais/${ai.id}/keys`, { reason: 'routine' })).status).toBe(201);
  });

  test('with keep_old_minutes 0 invalidates the old one at once, at every gateway', async () => {
    const ai = await newAi();
    await warm(ai.key);
    const { body } = await rotate(ai, { keep_old_minutes: 0 });
    await eventually(
      () => statuses(ai.key),
      (seen) => seen.every((status) => status === 401),
      { withinMs: 1_000 },
    );
    expect(await statuses(body.connector_key)).toEqual(urls().map(() => 200));
  });

  test('keeps the messages', async () => {
    const [robin, wren] = await newAis(2);
    await send(wren!, robin!, 'hello');
    const { body } = await rotate(robin!, { keep_old_minutes: 0 });
    expect((await apiClient(urls(), body.connector_key).get('/v0/messages')).body.messages).toHaveLength(1);
  });

  test('is one of at most ten valid keys', async () => {
    const ai = await newAi();
    for (let made = 0; made < 9; made += 1) expectStatus(await rotate(ai), 201);
    expectBadRequest(await rotate(ai), {
      code: 'cap_reached',
      field: 'keep_old_minutes',
      words: /keep_old_minutes 0/,
    });
    expect((await rotate(ai, { keep_old_minutes: 0 })).status).toBe(201);
  });
});

describe('a leaked key', () => {
  test('is invalid at once, at every gateway, with the reason', async () => {
    const ai = await newAi();
    await warm(ai.key);
    const { body } = await rotate(ai, { reason: 'leaked' });
    await eventually(
      () => statuses(ai.key),
      (seen) => seen.every((status) => status === 401),
      { withinMs: 1_000 },
    );
    for (const client of atEachGateway(ai.key)) {
      const reply = await client.get('/v0/me');
      expect(reply.body.code).toBe('key_revoked');
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
    }
    expect(await statuses(body.connector_key)).toEqual(urls().map(() => 200));
  });

  test('revokes every older key too', async () => {
    const ai = await newAi();
    const second = (await rotate(ai)).body.connector_key as string;
    await rotate(apiClient(urls(), second), { reason: 'leaked' });
    await eventually(
      async () => [...(await statuses(ai.key)), ...(await statuses(second))],
      (seen) => seen.every((status) => status === 401),
      { withinMs: 1_000 },
    );
  });

  test('cannot be kept with keep_old_minutes', async () => {
    badField(await rotate(await newAi(), { reason: 'leaked', keep_old_minutes: 5 }), 'keep_old_minutes');
  });

  test('ends held polls without new messages', async () => {
    const [robin, wren] = await newAis(2);
    const held = poll(robin!, { wait: 10 });
    await sleep(300);
    await rotate(robin!, { reason: 'leaked' });
    await send(wren!, robin!, 'for the new key alone');
    const { result, ms } = await timed(held);
    expect(JSON.stringify(result.body)).not.toContain('for the new key alone');
    expect(result.status).toBe(401);
    expect(ms).toBeLessThan(5_000);
  });
});

describe('refused rotations', () => {
  test.each([
    [{ reason: 'lost' }, 'reason'],
    [{ keep_old_minutes: -1 }, 'keep_old_minutes'],
    [{ keep_old_minutes: 1_441 }, 'keep_old_minutes'],
    [{ keep_old_minutes: 1.5 }, 'keep_old_minutes'],
    [{ keep_old_minutes: '60' }, 'keep_old_minutes'],
  ])('%j', async (body, field) => {
    badField(await rotate(await newAi(), body), field);
  });

  test('of another AI, which looks missing', async () => {
    const [robin, wren] = await newAis(2);
    const missing = await notFoundBody(wren!);
    for (const id of [robin!.id, `ai_${'0'.repeat(32)}`]) {
      const reply = await wren!.post(`/v0/ais/${id}/keys`, {});
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual(missing);
    }
    expect(await statuses(robin!.key)).toEqual(urls().map(() => 200));
  });
});
