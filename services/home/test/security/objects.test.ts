import { hash } from 'node:crypto';
import { recordTelemetry } from '@hearth/telemetry/testing';
import { eventually } from '@hearth/testkit';
import type { Reply, TestAi } from '@hearth/testkit/home';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWholeHome } from '../support/whole-home.ts';

/**
 * Other owners' things: an answer about them equals the answer about things that do not exist, in status, text,
 * headers, and the statements run, which is all that timing could reveal.
 */

const telemetry = await recordTelemetry();
const whole = await startWholeHome();
const robin = await whole.signUp({ name: 'Robin' });
const wren = await whole.signUp({ name: 'Wren' });
const eve = await whole.signUp({ name: 'Eve' });
const message = (
  await robin.post('/v0/messages', { to: wren.address, text: 'Between us', data: { for: 'wren' } })
).body;
afterAll(async () => {
  await whole.stop();
  await telemetry.stop();
});

const nothing = (prefix: string) => `${prefix}_${'0'.repeat(32)}`;

type Attempt = (
  ai: TestAi,
  ids: { message: string; thread: string; ai: string; address: string },
) => Promise<Reply>;

const attempts: [string, Attempt][] = [
  ['get_message', (ai, ids) => ai.get(`/v0/messages/${ids.message}`)],
  ['reply_message', (ai, ids) => ai.post(`/v0/messages/${ids.message}/reply`, { text: 'Hello' })],
  ['send_message in a thread', (ai, ids) => ai.post('/v0/messages', { thread: ids.thread, text: 'Hello' })],
  [
    'send_message as an answer',
    (ai, ids) => ai.post('/v0/messages', { reply_to: ids.message, text: 'Hello' }),
  ],
  [
    'send_message with an address as well',
    (ai, ids) => ai.post('/v0/messages', { to: wren.address, reply_to: ids.message, text: 'Hello' }),
  ],
  ['delete_message', (ai, ids) => ai.delete(`/v0/messages/${ids.message}`)],
  ['delete_message, taking it back', (ai, ids) => ai.delete(`/v0/messages/${ids.message}?mode=retract`)],
  ['mark_read by ids', (ai, ids) => ai.post('/v0/messages/read', { ids: [ids.message] })],
  [
    'mark_read of a thread',
    (ai, ids) => ai.post('/v0/messages/read', { thread: ids.thread, up_to: ids.message }),
  ],
  ['list_messages of a thread', (ai, ids) => ai.get(`/v0/messages?thread=${ids.thread}`)],
  ['list_messages since', (ai, ids) => ai.get(`/v0/messages?since=${ids.message}`)],
  ['list_messages since, held', (ai, ids) => ai.get(`/v0/messages?since=${ids.message}&unread=true&wait=1`)],
  ['get_thread', (ai, ids) => ai.get(`/v0/threads/${ids.thread}`)],
  ['rotate_ai_key', (ai, ids) => ai.post(`/v0/ais/${ids.ai}/keys`, {})],
  ['revoke_ai', (ai, ids) => ai.delete(`/v0/ais/${ids.ai}`)],
];

const told = ({ status, headers, body }: Reply) => ({
  status,
  headers: [...headers.keys()].filter((name) => name !== 'date').sort(),
  body,
});

/** The statements that a request runs. */
async function withStatements(attempt: () => Promise<Reply>) {
  telemetry.reset();
  const reply = await attempt();
  const root = await eventually(() =>
    telemetry.spans().find(({ parentSpanContext, kind }) => !parentSpanContext && kind === 1),
  );
  const statements = telemetry
    .spans()
    .filter((span) => span.spanContext().traceId === root.spanContext().traceId)
    .map((span) => span.attributes['db.query.summary'])
    .filter((name) => name !== undefined)
    .sort();
  return { ...told(reply), statements };
}

describe.each(attempts)('%s', (_, attempt) => {
  test('answers for objects of others as for missing ones', async () => {
    const unknown = {
      message: nothing('msg'),
      thread: nothing('thr'),
      ai: nothing('ai'),
      address: '@free-000000.ai-x',
    };
    const foreign = { message: message.id, thread: message.thread, ai: wren.id, address: wren.address };
    await attempt(eve, unknown);
    const [one, other] = [
      await withStatements(() => attempt(eve, unknown)),
      await withStatements(() => attempt(eve, foreign)),
    ];
    expect(other).toEqual(one);
    expect(JSON.stringify(other.body)).not.toContain('Between us');
  });
});

test('those attempts changed nothing', async () => {
  const { body } = await wren.get(`/v0/messages/${message.id}`);
  expect(body).toMatchObject({ text: 'Between us', read_at: null, retracted: false });
  expect((await wren.get('/v0/me')).status).toBe(200);
});

test('an unknown address is answered like that of a switched-off AI', async () => {
  const gone = await whole.signUp({ name: 'Gone' });
  await gone.delete('/v0/ais/me');
  const card = (address: string) => withStatements(() => eve.get(`/v0/cards/${encodeURIComponent(address)}`));
  const write = (to: string) => withStatements(() => eve.post('/v0/messages', { to, text: 'Hello' }));
  const nobody = gone.address.replace(/free-.{6}/, 'free-000000');
  expect(await card(gone.address)).toEqual(await card(nobody));
  expect(await write(gone.address)).toEqual(await write(nobody));
});

describe('fields that callers cannot set', () => {
  test.each([
    [
      '/v0/agents',
      {
        id: 'ai_1',
        owner: 'per_1',
        status: 'claimed',
        permissions: ['group'],
        revoked: false,
        address: '@admin',
      },
    ],
    [
      '/v0/messages',
      {
        from: '@x',
        sender: 'x',
        box: 'inbox',
        via: 'web',
        read_at: null,
        at: '2020-01-01T00:00:00Z',
        caller: {},
      },
    ],
    ['/v0/ais/me/keys', { connector_key: 'mine', ends_at: null, prefix: 'x' }],
  ])('%s accepts none of them', async (path, fields) => {
    for (const [name, value] of Object.entries(fields)) {
      const body = { name: 'Robin', to: wren.address, text: 'Hello', [name]: value };
      const reply = await eve.post(path, body);
      expect(reply).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
    }
  });

  test('are refused in any other spelling', async () => {
    for (const name of ['requestId', 'REQUEST_ID', 'request_id\u0000', 'to ', '\ufeffto']) {
      const reply = await eve.post('/v0/messages', { to: wren.address, text: 'Hello', [name]: 'x' });
      expect(reply).toMatchObject({ status: 400, body: { code: 'unknown_field' } });
    }
  });
});

describe('responses for one caller are never given to another', () => {
  test('even though they are cached in memory', async () => {
    const path = `/v0/cards/${encodeURIComponent(robin.address)}`;
    await robin.put('/v0/me/away', {
      until: new Date(Date.now() + 3_600_000).toISOString(),
      note: 'A private note',
    });
    for (let round = 0; round < 5; round += 1) {
      expect((await robin.get(path)).body.away).toMatchObject({ note: 'A private note' });
      expect(JSON.stringify((await eve.get(path)).body)).not.toContain('A private note');
      const claims = await Promise.all([robin, wren, eve].map(async (ai) => (await ai.get('/v0/me')).body));
      expect(new Set(claims.map(({ claim_link }) => claim_link)).size).toBe(3);
      expect(claims.map(({ address }) => address)).toEqual([robin, wren, eve].map(({ address }) => address));
    }
  });

  test('an entity tag of one caller is useless to another', async () => {
    const path = '/v0/me';
    const tag = (await robin.get(path)).headers.get('etag')!;
    const reply = await eve.get(path, { 'if-none-match': tag });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('a response that depends on the caller may not be cached by proxies', async () => {
    for (const path of [
      '/v0/me',
      '/v0/messages',
      '/v0/threads',
      '/v0/limits',
      `/v0/messages/${message.id}`,
    ]) {
      const { headers } = await robin.get(path);
      expect(headers.get('cache-control')).toMatch(/^(private, no-cache|no-store)$/);
    }
  });
});

describe('a claim link', () => {
  test('is shown to its AI only, and stored as a hash', async () => {
    const link: string = robin.signUp.body.claim_link;
    const token = link.split('/').at(-1)!;
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    for (const path of [`/v0/cards/${encodeURIComponent(robin.address)}`, '/v0/messages', '/v0/me']) {
      expect(JSON.stringify((await eve.get(path)).body)).not.toContain(token);
    }
    const dump = await everythingStored();
    expect(dump).not.toContain(token);
    expect(dump).toContain(hash('sha256', token, 'hex'));
  });

  test('keys are stored as hashes only', async () => {
    const dump = await everythingStored();
    for (const { key } of [robin, wren, eve]) {
      expect(dump).not.toContain(key.slice(14));
      expect(dump).toContain(hash('sha256', key, 'hex'));
    }
    for (const secret of [whole.operatorKey, whole.sealKey]) expect(dump).not.toContain(secret);
  });
});

describe("the operator's key", () => {
  const operator = () => whole.api(whole.operatorKey);

  test('acts for nobody, and cannot be written to', async () => {
    for (const [method, path] of [
      ['GET', '/v0/me'],
      ['GET', '/v0/messages'],
      ['POST', '/v0/messages'],
      ['POST', `/v0/ais/${wren.id}/keys`],
      ['GET', `/v0/messages/${message.id}`],
    ] as const) {
      expect((await operator().request(method, path)).status).toBe(403);
    }
  });

  test('is accepted only in full, with its exact case and scheme', async () => {
    const { operatorKey: key } = whole;
    for (const wrong of [
      key.slice(0, -1),
      `${key}0`,
      key.toUpperCase(),
      `${key},${key}`,
      key.replace('hearth_op_', ''),
    ]) {
      expect((await whole.api(wrong).get('/v0/limits')).status).toBe(401);
    }
    const basic = Buffer.from(`operator:${key}`).toString('base64');
    expect((await whole.api().get('/v0/limits', { authorization: `Basic ${basic}` })).status).toBe(401);
  });
});

/** Every row of every table of the home, as text; bytes as hex. */
async function everythingStored(): Promise<string> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: whole.database.url });
  await client.connect();
  const { rows: tables } = await client.query(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema in ('identity', 'messages', 'delivery', 'federation') and table_type = 'BASE TABLE'`,
  );
  let dump = '';
  for (const { schema, name } of tables) {
    const { rows } = await client.query(
      `select t::text as row, to_json(t)::text as json from ${schema}.${name} t`,
    );
    dump += rows.map(({ row, json }) => `${row}${json}`).join('\n');
  }
  // Events are stored as bytes; the test also searches the text in them.
  dump += Buffer.from(
    dump.matchAll(/\\x([0-9a-f]+)/g).reduce((all, [, hex]) => all + hex, ''),
    'hex',
  ).toString('latin1');
  await client.end();
  return dump;
}
