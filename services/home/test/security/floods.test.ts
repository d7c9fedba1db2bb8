import { randomBytes } from 'node:crypto';
import { recordTelemetry } from '@hearth/telemetry/testing';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWholeHome } from '../support/whole-home.ts';

/** How much work a caller without a key, or with one of a thousand keys, can cause. Limits are as declared. */

const telemetry = await recordTelemetry();
const limits = { reads_a_minute: { anyone: 40, unclaimed: null }, sign_ups_an_hour: 5 };
const whole = await startWholeHome({ logLevel: 'info', env: { HEARTH_LIMITS: JSON.stringify(limits) } });
let robin = await whole.signUp({ name: 'Robin' });
expect((await robin.get('/v0/me')).status).toBe(200);
const linesOfStart = whole.lines.length;
beforeEach(() => telemetry.reset());
afterAll(async () => {
  await whole.stop();
  await telemetry.stop();
});

const statements = (name: string) =>
  telemetry.spans().filter((span) => span.attributes['db.query.summary'] === name).length;
const traceOf = (span: { spanContext(): { traceId: string } }) => span.spanContext().traceId;
const tracesOf = (name: string) =>
  new Set(
    telemetry
      .spans()
      .filter((span) => span.name === name)
      .map(traceOf),
  );
const many = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const anybody = () => whole.api();

describe('a flood of unknown keys', () => {
  test('is refused, looked up in batches, counted, and does not block other callers', async () => {
    // Above 300 a minute the home looks up none: this measures the lookups it does.
    const replies = many(200, () =>
      whole.api(`hearth_ai_${randomBytes(32).toString('hex').slice(0, 43)}`).get('/v0/me'),
    );
    const served = await many(20, () => robin.get('/v0/me'));
    expect(served.every(({ status }) => status === 200)).toBe(true);
    const statuses = (await replies).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(40);
    // Each key is looked up before it can be refused; concurrent lookups share a statement.
    expect(statements('identity_find_credentials')).toBeLessThan(200);
    expect((await robin.get('/v0/me')).status).toBe(200);
  });

  test('with a repeated key looks that key up only occasionally', async () => {
    const wrong = whole.api('hearth_ai_one-and-the-same');
    for (let round = 0; round < 20; round += 1) await wrong.get('/v0/me');
    expect(statements('identity_find_credentials')).toBe(1);
  });

  test('writes nothing to the log', () => {
    // A slow statement depends on the machine.
    const own = ['"info"', 'a slow statement'];
    const lines = whole.lines
      .slice(linesOfStart)
      .filter((line) => !own.some((words) => line.includes(words)));
    expect(lines).toEqual([]);
  });
});

describe('endpoints without a key', () => {
  test('GET /ready queries the database once for concurrent callers', async () => {
    const replies = await many(200, () => anybody().get('/ready'));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    // Jobs query the database meanwhile, in their own traces.
    const traces = tracesOf('GET /ready');
    expect(traces.size).toBe(200);
    const queries = telemetry.spans().filter((span) => span.name === 'db.query' && traces.has(traceOf(span)));
    expect(queries.length).toBeLessThanOrEqual(1);
  });

  test('the home document is signed once and served from memory', async () => {
    await anybody().get('/.well-known/service.json');
    telemetry.reset();
    await many(100, () => anybody().get('/.well-known/service.json'));
    const traces = tracesOf('GET /.well-known/service.json');
    expect(traces.size).toBe(100);
    // Jobs query the database meanwhile, in their own traces.
    const within = telemetry.spans().filter((span) => traces.has(traceOf(span)));
    expect(within.filter(({ name }) => name === 'db.query')).toEqual([]);
    expect(within.filter(({ name }) => name.endsWith('FederationService/Sign'))).toEqual([]);
  });

  test('a card with many readers is signed once', async () => {
    const path = `/v0/cards/${encodeURIComponent(robin.address)}`;
    await robin.get(path);
    telemetry.reset();
    await many(100, () => robin.get(path));
    const signed = telemetry
      .spans()
      .filter(({ name, kind }) => name.endsWith('FederationService/Sign') && kind === 1);
    expect(signed.length).toBeLessThanOrEqual(1);
  });
});

describe('a limit cannot be evaded', () => {
  const forwarded = (index: number) => ({
    'x-forwarded-for': `198.51.${index}.1`,
    'x-real-ip': `198.51.${index}.1`,
    'cf-connecting-ip': `198.51.${index}.1`,
    forwarded: `for=198.51.${index}.1`,
    'x-client-ip': `198.51.${index}.1`,
  });

  test('by forged origin headers', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      statuses.push((await anybody().post('/v0/agents', { name: 'Robin' }, forwarded(index))).status);
    }
    // One of the five per hour was used before.
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429, 429, 429]);
    expect((await anybody().post('/v0/agents/', { name: 'Robin' })).status).toBe(429);
    expect((await anybody().post('/v0/%61gents', { name: 'Robin' })).status).toBe(429);
    expect((await robin.post('/v0/agents', { name: 'Robin' })).status).toBe(429);
  });

  test('by changing the key', async () => {
    const statuses: number[] = [];
    let ai = whole.api(robin.key);
    for (let index = 0; index < 12; index += 1) {
      const reply = await ai.post('/v0/ais/me/keys', { keep_old_minutes: 0 });
      statuses.push(reply.status);
      if (reply.status === 201) ai = whole.api(reply.body.connector_key);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
    expect((await ai.get('/v0/me')).body.limits.writes_a_minute).toBe(0);
    robin = { ...robin, ...ai };
  });
});
