import { setTimeout as sleep } from 'node:timers/promises';
import { type MetricData, type ReadableSpan, recordTelemetry } from '@hearth/telemetry/testing';
import { eventually } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import pg from 'pg';
import { startWholeHome } from './support/whole-home.ts';

/** The telemetry of a whole home in one process; for separate services see telemetry-apart.test.ts. */

const sendMessage = 'hearth.messages.v1.MessagesService/SendMessage';

const telemetry = await recordTelemetry();
const whole = await startWholeHome();
const robin = await whole.signUp({ name: 'Robin' });
const wren = await whole.signUp({ name: 'Wren' });
// Waits until the sign-ups' announcements are published.
await eventually(() => telemetry.spans().some(({ name }) => name === 'hear delivery-log'));
await sleep(100);
beforeEach(() => telemetry.reset());
afterAll(async () => {
  await whole.stop();
  await telemetry.stop();
});

const send = (text = 'Hello', headers: Record<string, string> = {}) =>
  robin.post('/v0/messages', { to: wren.address, text }, headers);

const spanOf = (name: string) => eventually(() => telemetry.spans().find((span) => span.name === name));
const idOf = (span: ReadableSpan) => span.spanContext().spanId;
const traceOf = (span: ReadableSpan) => span.spanContext().traceId;
const childrenOf = (parent: ReadableSpan) =>
  telemetry.spans().filter((span) => span.parentSpanContext?.spanId === idOf(parent));
const only = (spans: ReadableSpan[]): ReadableSpan => {
  expect(spans).toHaveLength(1);
  return spans[0]!;
};

describe('one request', () => {
  test('is one trace tree, from HTTP through the calls to the statements', async () => {
    expect((await send()).status).toBe(201);
    const request = await spanOf('POST /v0/messages');
    expect(request.kind).toBe(SpanKind.SERVER);
    expect(request.parentSpanContext).toBeUndefined();
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v0/messages',
      'http.response.status_code': 201,
      'hearth.operation': 'send_message',
    });
    const called = only(childrenOf(request).filter(({ name }) => name === sendMessage));
    expect(called).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'rpc.method': sendMessage } });
    const served = only(childrenOf(called));
    expect(served).toMatchObject({ name: sendMessage, kind: SpanKind.SERVER });
    const insert = only(
      childrenOf(served).filter((span) => span.attributes['db.query.summary'] === 'messages_insert_one'),
    );
    expect(insert).toMatchObject({
      name: 'db.query',
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql' },
    });
    const profile = only(
      childrenOf(served).filter(({ name }) => name.endsWith('IdentityService/FindProfiles')),
    );
    expect(only(childrenOf(profile)).kind).toBe(SpanKind.SERVER);
  });

  test('that is refused records the kind of refusal and no failed span', async () => {
    await robin.get(`/v0/messages/msg_${'0'.repeat(32)}`);
    const request = await spanOf('GET /v0/messages/{id}');
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': 'not_found' });
    expect(request.status.code).toBe(SpanStatusCode.UNSET);
  });

  test('with its own trace is linked to it, and is fully sampled whatever that trace says', async () => {
    const [trace, span] = ['a'.repeat(32), 'b'.repeat(16)];
    await send('Hello', {
      traceparent: `00-${trace}-${span}-00`,
      tracestate: 'other=1',
      baggage: 'key=value',
    });
    const request = await spanOf('POST /v0/messages');
    expect(request.parentSpanContext).toBeUndefined();
    expect(traceOf(request)).not.toBe(trace);
    expect(request.links.map(({ context }) => [context.traceId, context.spanId])).toEqual([[trace, span]]);
  });

  test.each(['nonsense', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, `00-${'a'.repeat(4_000)}-b-01`])(
    'with the malformed traceparent %.40s is treated as one without',
    async (traceparent) => {
      expect((await send('Hello', { traceparent })).status).toBe(201);
      expect((await spanOf('POST /v0/messages')).links).toEqual([]);
    },
  );
});

/** Resolves once the bus has been silent for a while. Jobs query the database all the time. */
async function quiet(): Promise<void> {
  const carried = () => telemetry.spans().filter(({ name }) => /^(publish|hear) /.test(name)).length;
  for (let before = -1; before !== carried(); await sleep(400)) before = carried();
}

describe('the bus', () => {
  test('publishes and consumes with links to the causing request', async () => {
    // Events of earlier tests may still be in transit, and would be batched with this one.
    await quiet();
    await send();
    const request = await spanOf('POST /v0/messages');
    const linkedTo = (name: string) =>
      eventually(() =>
        telemetry
          .spans()
          .find((span) => span.name === name && span.links[0]?.context.traceId === traceOf(request)),
      );
    const heard = await linkedTo('hear delivery-log');
    const published = await linkedTo('publish event.message_sent');
    const served = telemetry
      .spans()
      .find(
        (span) =>
          traceOf(span) === traceOf(request) && span.name === sendMessage && span.kind === SpanKind.SERVER,
      )!;
    expect(published).toMatchObject({
      kind: SpanKind.PRODUCER,
      attributes: { 'messaging.destination.name': 'event.message_sent', 'messaging.batch.message_count': 1 },
    });
    expect(heard).toMatchObject({
      kind: SpanKind.CONSUMER,
      attributes: { 'messaging.consumer.group.name': 'delivery-log' },
    });
    expect(traceOf(heard)).not.toBe(traceOf(request));
    for (const span of [published, heard]) {
      expect(span.links.map(({ context }) => context.spanId)).toEqual([idOf(served)]);
    }
    expect(childrenOf(heard).map((span) => span.attributes['db.query.summary'])).toEqual([
      'delivery_insert_events',
    ]);
  });
});

describe('requests whose writes are batched', () => {
  test('share a statement that each of them links to', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => send(`Hello ${index}`)));
    const requests = await eventually(() => {
      const found = telemetry
        .spans()
        .filter((span) => span.name === sendMessage && span.kind === SpanKind.SERVER);
      return found.length === 12 && found;
    });
    const inserts = telemetry
      .spans()
      .filter((span) => /^messages_insert(_one)?$/.test(`${span.attributes['db.query.summary']}`));
    expect(inserts.length).toBeLessThan(12);
    const batches = telemetry.spans().filter(({ name }) => name === 'batch of messages');
    const statementsOf = (request: ReadableSpan) => [
      ...childrenOf(request).filter((span) => inserts.includes(span)),
      ...batches.filter(
        (batch) =>
          batch.parentSpanContext?.spanId === idOf(request) ||
          request.links.some(({ context }) => context.spanId === idOf(batch)),
      ),
    ];
    for (const request of requests) expect(statementsOf(request)).toHaveLength(1);
    for (const batch of batches) {
      expect(batch.attributes['hearth.batch_size']).toBe(batch.links.length + 1);
      expect(childrenOf(batch).filter((span) => inserts.includes(span))).toHaveLength(1);
    }
  });
});

describe('an unexpected error', () => {
  test('is logged once with its stack and trace, and hidden from the client', async () => {
    await runSql('alter table messages.threads rename to threads_away');
    whole.lines.length = 0;
    const reply = await robin.get('/v0/threads');
    await runSql('alter table messages.threads_away rename to threads');
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.body)).not.toMatch(/threads_away|relation|messages\.|stack|\.ts/);
    const errors = whole.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    const [told] = errors;
    expect(told.err.stack).toContain('.ts:');
    expect(told.err.cause.message).toContain('relation "messages.threads" does not exist');
    const request = await spanOf('GET /v0/threads');
    expect(told.trace_id).toBe(traceOf(request));
    expect(request.status.code).toBe(SpanStatusCode.ERROR);
    // The id that the client received is logged with the same trace.
    const [, id] = /request ([0-9a-f-]{36})/.exec(reply.body.error)!;
    const named = whole.lines.map((line) => JSON.parse(line)).find((line) => line.request_id === id);
    expect(named.trace_id).toBe(told.trace_id);
  });
});

describe('metrics', () => {
  type Point = { attributes: Record<string, unknown>; value: unknown };
  const points = async (name: string): Promise<Point[]> =>
    ((await telemetry.metrics()).find((metric: MetricData) => metric.descriptor.name === name)?.dataPoints ??
      []) as Point[];
  const countOf = ({ value }: Point) => (value as { count: number }).count;
  const point = async (name: string, attributes: Record<string, unknown>): Promise<Point | undefined> =>
    (await points(name)).find((each) =>
      Object.entries(attributes).every(([key, value]) => each.attributes[key] === value),
    );

  test('count requests by operation and status, with their durations', async () => {
    const sent = { 'hearth.operation': 'send_message', 'http.response.status_code': 201 };
    const name = 'http.server.request.duration';
    const before = countOf((await point(name, sent)) ?? { attributes: {}, value: { count: 0 } });
    await send();
    await robin.post('/v0/messages', { to: '@free-nobody.ai-x', text: 'Hello' });
    expect(countOf((await point(name, sent))!)).toBe(before + 1);
    expect(await point(name, { ...sent, 'http.response.status_code': 404 })).toBeDefined();
  });

  test('count calls on both sides', async () => {
    await send();
    const attributes = { 'rpc.method': sendMessage, 'rpc.status_code': 'OK' };
    const [client, server] = [
      await point('rpc.client.call.duration', attributes),
      await point('rpc.server.call.duration', attributes),
    ];
    expect(countOf(client!)).toBe(countOf(server!));
  });

  test('report held requests, and wake latency', async () => {
    const operation = { 'hearth.operation': 'list_messages' };
    const held = async () => Number((await point('hearth.holds.active', operation))?.value ?? 0);
    const waiting = whole.signUp({ name: 'Waiting' }).then(async (ai) => ({
      ai,
      answer: ai.get('/v0/messages?unread=true&wait=20'),
    }));
    const { ai, answer } = await waiting;
    await eventually(async () => (await held()) === 1);
    await robin.post('/v0/messages', { to: ai.address, text: 'Wake up' });
    expect((await answer).body.messages).toHaveLength(1);
    expect(await held()).toBe(0);
    const hold = (await point('hearth.hold.duration', { ...operation, 'hearth.outcome': 'woken' }))!;
    expect(countOf(hold)).toBe(1);
    const wake = (await point('hearth.wake.duration', operation))!.value as { count: number; sum: number };
    expect(wake.count).toBe(1);
    expect(wake.sum).toBeGreaterThan(0);
    expect(wake.sum).toBeLessThan(5);
    // The hold is not part of the request's duration.
    const request = await point('http.server.request.duration', operation);
    expect((request!.value as { max: number }).max).toBeLessThan(5);
  });

  test('report how long work waits for a connection, and how long consumers take', async () => {
    await send();
    expect(countOf((await point('db.client.connection.wait_time', {}))!)).toBeGreaterThan(0);
    const heard = await eventually(() =>
      point('messaging.process.duration', { 'messaging.consumer.group.name': 'delivery-log' }),
    );
    expect(countOf(heard)).toBeGreaterThan(0);
  });

  test('report the lag of each outbox', async () => {
    const services = await eventually(async () => {
      const found = (await points('hearth.outbox.lag')).map(({ attributes }) => attributes['hearth.service']);
      return found.length === 7 && found.sort();
    });
    expect(services).toEqual([
      'approvals',
      'decisions',
      'delivery',
      'federation',
      'groups',
      'identity',
      'messages',
    ]);
  });

  test('have no attribute with unbounded values', async () => {
    const ids = /(msg|thr|ai|evt)_[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-|free-[a-z0-9]{6}/;
    for (const { descriptor, dataPoints } of await telemetry.metrics()) {
      const labels = JSON.stringify(dataPoints.map(({ attributes }) => attributes));
      expect([descriptor.name, ids.test(labels)]).toEqual([descriptor.name, false]);
    }
  });
});

test('no span contains a key, or text of people', async () => {
  const reply = await robin.post('/v0/messages', {
    to: wren.address,
    text: 'the-text-of-a-message',
    title: 'the-title-of-a-message',
    data: { member: 'the-data-of-a-message' },
  });
  expect(reply.status).toBe(201);
  await wren.get('/v0/messages');
  await robin.get('/v0/messages?from=the-query-of-a-request');
  await spanOf('publish event.message_sent');
  const told = JSON.stringify(
    telemetry.spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  );
  expect(told).not.toMatch(/the-(text|title|data|query)-of/);
  expect(told).not.toContain(robin.key);
});

async function runSql(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: whole.database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
