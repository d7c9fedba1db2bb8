import { parseId } from '@hearth/ids';
import type { Reply } from '@hearth/testkit/home';
import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startWholeHome } from './support/whole-home.ts';

/** Sizes set by an operator, as every part of the home enforces and reports them. */

const set = {
  message_text_characters: 10,
  message_title_characters: 5,
  message_data_bytes: 12,
  name_characters: 8,
  away_note_characters: 3,
  away_days: 2,
  retract_minutes: 1,
  mark_read_messages: 2,
  keep_old_key_minutes: 30,
  page_entries: 3,
  request_id_days: 1,
  group_post_characters: 20,
  note_characters: 20,
  feedback_text_characters: 200,
  report_characters: 200,
  ask_details_characters: 200,
  commons_text_characters: 200,
  body_bytes: 1_000,
};

const home = await startWholeHome({
  env: { HEARTH_LIMITS: JSON.stringify({ ...set, sign_ups_an_hour: null, writes_a_minute: null }) },
});
const [robin, wren] = [await home.signUp(), await home.signUp()];
afterAll(() => home.stop());

const refusal = (field: string, words: RegExp) => ({
  status: 400,
  body: { code: 'bad_field', field, error: expect.stringMatching(words) },
});
const send = (fields: object): Promise<Reply> =>
  robin.post('/v0/messages', { to: wren.address, text: 'Hello', ...fields });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('sizes set by an operator', () => {
  test('are listed, also for the operator, and shown at sign-up', async () => {
    for (const client of [robin, home.api(), home.api(home.operatorKey)]) {
      const { limits } = (await client.get('/v0/limits')).body as {
        limits: { name: string; value: number; by_caller: object; fixed: boolean }[];
      };
      const byName = new Map(limits.map((limit) => [limit.name, limit]));
      for (const [name, value] of Object.entries(set)) {
        expect(byName.get(name)).toMatchObject({ value, by_caller: {}, fixed: false });
      }
      expect(byName.get('description_characters')).toMatchObject({ value: 140, fixed: true });
    }
    expect(robin.signUp.body.limits).toMatchObject(set);
  });

  test('are in the OpenAPI document', async () => {
    const document = (await robin.get('/v0/openapi.json')).body;
    const { SendMessageRequest, SignUpRequest, MarkReadRequest, SetAwayRequest } =
      document.components.schemas;
    expect(SendMessageRequest.properties).toMatchObject({
      text: { minLength: 1, maxLength: 10 },
      title: { maxLength: 5 },
      data: { description: expect.stringContaining('At most 12 bytes of JSON.') },
    });
    expect(SignUpRequest.properties).toMatchObject({
      name: { maxLength: 8 },
      description: { maxLength: 140 },
    });
    expect(MarkReadRequest.properties.ids).toMatchObject({ maxItems: 2 });
    expect(SetAwayRequest.properties.note).toMatchObject({ maxLength: 3 });
    const parameters = document.paths['/messages'].get.parameters as { name: string; schema: object }[];
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toMatchObject({ minimum: 1, maximum: 3 });
    expect((await robin.get('/llms.txt')).body).toContain('413 at most 1000 bytes');
  });

  test('bound the contents of a message', async () => {
    expect((await send({ text: '\u{1f600}'.repeat(10), title: 'abcde', data: { a: 'bcde' } })).status).toBe(
      201,
    );
    expect(await send({ text: '\u{1f600}'.repeat(11) })).toMatchObject(
      refusal('text', /^text: must have 1 to 10 characters; it has 11$/),
    );
    expect(await send({ title: 'abcdef' })).toMatchObject(refusal('title', /at most 5 characters/));
    expect(await send({ data: { a: 'bcdef' } })).toMatchObject(refusal('data', /at most 12 bytes/));
    const { id } = (await send({})).body;
    expect(await wren.post(`/v0/messages/${id}/reply`, { text: 'a'.repeat(11) })).toMatchObject(
      refusal('text', /1 to 10 characters/),
    );
    expect((await send({ text: 'a'.repeat(1_000) })).status).toBe(413);
  });

  test('bound pages and the number of messages marked read at once', async () => {
    for (let count = 0; count < 4; count += 1) await send({ text: `Hi ${count}` });
    const { messages, next_cursor } = (await wren.get('/v0/messages')).body;
    expect([messages.length, typeof next_cursor]).toEqual([3, 'string']);
    expect((await wren.get('/v0/threads?limit=3')).status).toBe(200);
    expect(await wren.get('/v0/messages?limit=4')).toMatchObject(refusal('limit', /1 to 3/));
    const ids = (messages as { id: string }[]).map(({ id }) => id);
    expect(await wren.post('/v0/messages/read', { ids })).toMatchObject(refusal('ids', /at most 2 items/));
    expect((await wren.post('/v0/messages/read', { ids: ids.slice(1) })).body).toEqual({ read: 2 });
  });

  test('bound how long a message can be taken back', async () => {
    const { id } = (await send({})).body;
    await makeOlder(id, 61);
    expect((await robin.delete(`/v0/messages/${id}?mode=retract`)).body.error).toContain('within 1 minutes');
  });

  test('bound names, absences and old keys', async () => {
    const anonymous = home.api();
    expect((await anonymous.post('/v0/agents', { name: 'Robinson' })).status).toBe(201);
    expect(await anonymous.post('/v0/agents', { name: 'Robinsons' })).toMatchObject(
      refusal('name', /1 to 8 characters/),
    );
    expect((await robin.put('/v0/me/away', { until: inDays(1.9), note: 'off' })).status).toBe(200);
    expect(await robin.put('/v0/me/away', { until: inDays(2.1) })).toMatchObject(
      refusal('until', /at most 2 days ahead/),
    );
    expect(await robin.put('/v0/me/away', { until: inDays(1), note: 'gone' })).toMatchObject(
      refusal('note', /at most 3 characters/),
    );
    expect(await wren.post('/v0/ais/me/keys', { keep_old_minutes: 31 })).toMatchObject(
      refusal('keep_old_minutes', /0 to 30/),
    );
  });
});

test('sizes that do not fit together stop the start with the reason', async () => {
  await expect(
    startWholeHome({ env: { HEARTH_LIMITS: '{"message_text_characters": 70000, "page_entries": null}' } }),
  ).rejects.toThrow(
    /page_entries must be one whole number from 1 to 1000.*message_text_characters is 70000 and cannot be reached/,
  );
});

async function makeOlder(id: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: home.database.url });
  await client.connect();
  await client.query(`update messages.messages set at = at - $1 * interval '1 second' where id = $2`, [
    seconds,
    parseId('msg', id),
  ]);
  await client.end();
}
