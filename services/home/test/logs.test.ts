import type { Reply } from '@hearth/testkit/home';
import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startWholeHome } from './support/whole-home.ts';

/** Even at the most detailed level, a home's log contains no secrets and no text of people. */

const words = {
  name: 'the-name-of-an-ai',
  description: 'the description of an ai',
  text: 'the-text-of-a-message',
  title: 'the-title-of-a-message',
  data: 'the-data-of-a-message',
  requestId: 'the-id-of-a-request',
  note: 'the-note-of-an-absence',
  reason: 'the-reason-of-an-end',
  query: 'the-query-of-a-request',
  path: 'the-path-of-a-request',
  header: 'the-header-of-a-request',
  wrongKey: 'hearth_ai_the-key-that-never-was',
};

const whole = await startWholeHome({ logLevel: 'debug' });
const robin = await whole.signUp({
  name: words.name,
  description: words.description,
  request_id: words.requestId,
});
const wren = await whole.signUp({ name: 'Wren' });
const replies = [robin.signUp, wren.signUp, ...(await useEverything())];
afterAll(() => whole.stop());

async function useEverything(): Promise<Reply[]> {
  const { text, title, note, requestId, query, path, header, wrongKey } = words;
  const message = { to: wren.address, text, title, data: { member: words.data } };
  const sent = await robin.post('/v0/messages', { ...message, request_id: requestId });
  const stranger = whole.api(wrongKey);
  const operator = whole.api(whole.operatorKey);
  const well = [
    sent,
    await robin.post('/v0/messages', { ...message, request_id: requestId }),
    await wren.get('/v0/messages?unread=true'),
    await wren.post(`/v0/messages/${sent.body.id}/reply`, { text }),
    await robin.get('/v0/me'),
    await robin.get(`/v0/cards/${encodeURIComponent(wren.address)}`),
    await robin.put('/v0/me/away', { until: new Date(Date.now() + 60_000).toISOString(), note }),
    await robin.get('/v0/limits', { 'x-secret': header, cookie: header, 'idempotency-key': header }),
  ];
  expect(well.map(({ status }) => status)).toEqual([201, 200, 200, 201, 200, 200, 200, 200]);
  const refused = [
    await robin.post('/v0/messages', { ...message, request_id: requestId, text: `${text} again` }),
    await robin.post('/v0/messages', { ...message, to: `@${path}` }),
    await robin.post('/v0/messages', `{"text": "${text}", "to": `),
    await robin.post('/v0/messages', { [query]: 1, text }),
    await robin.get(`/v0/messages?${query}=1`),
    await robin.get(`/v0/${path}`),
    await robin.get(`/${path}\u001b[31m%0a`),
    await stranger.get('/v0/me'),
    await operator.get('/v0/me'),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 404, 400, 400, 400, 404, 404, 401, 403]);
  const rotated = await robin.post('/v0/ais/me/keys', { reason: 'leaked' });
  const revoked = await wren.delete(`/v0/ais/me?reason=${words.reason}`);
  expect([rotated.status, revoked.status]).toEqual([201, 200]);
  return [...well, ...refused, rotated, revoked, await failUnexpectedly(rotated.body.connector_key)];
}

/** The request's statement fails unexpectedly, whatever the request contains. */
async function failUnexpectedly(key: string): Promise<Reply> {
  const client = new pg.Client({ connectionString: whole.database.url });
  await client.connect();
  await client.query(
    'create function messages.refuse() returns trigger language plpgsql as $$ begin perform new.body::uuid; end $$',
  );
  await client.query(
    'create trigger refuse before insert on messages.messages for each row execute function messages.refuse()',
  );
  const again = await whole.signUp();
  const { text, title } = words;
  const reply = await whole.api(key).post('/v0/messages', { to: again.address, text, title });
  await client.query('drop trigger refuse on messages.messages');
  await client.end();
  expect(reply.status).toBe(500);
  return reply;
}

const told = () => whole.lines.join('');

test('there is a line for every answer, and one error', () => {
  const lines = whole.lines.map((line) => JSON.parse(line));
  expect(lines.filter(({ msg }) => msg === 'answered').length).toBeGreaterThanOrEqual(replies.length);
  const errors = lines.filter(({ level }) => level === 'error');
  expect(errors).toHaveLength(1);
  expect(errors[0].err.stack).toContain('insert-messages.ts');
});

test.each(Object.entries(words))('no line holds %s', (_, word) => {
  expect(told().includes(word)).toBe(false);
});

test('no line holds a key, a claim link or a secret of the home', () => {
  const shown = replies
    .flatMap(({ body }) => [body?.connector_key, body?.claim_link])
    .filter(Boolean) as string[];
  expect(shown.length).toBeGreaterThanOrEqual(6);
  const databasePassword = new URL(whole.database.url).password;
  for (const secret of [...shown, robin.key, wren.key, whole.operatorKey, whole.sealKey, databasePassword]) {
    if (secret !== '') expect(told().includes(secret)).toBe(false);
  }
  expect(told()).not.toMatch(/hearth_ai_[A-Za-z0-9]{8}|\/claim\/|Bearer /i);
});

test('no client sees internal errors', () => {
  const failed = replies.filter(({ status }) => status >= 500);
  expect(failed).toHaveLength(1);
  expect(failed[0]!.body).toEqual({
    error: expect.stringMatching(/^something went wrong inside the home \(request [0-9a-f-]{36}\)$/),
    code: 'internal',
  });
});
