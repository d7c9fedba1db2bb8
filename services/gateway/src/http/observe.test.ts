import { setTimeout as pause } from 'node:timers/promises';
import { forbidden } from '@hearth/errors';
import { createLogger } from '@hearth/telemetry';
import { type RecordedTelemetry, recordTelemetry } from '@hearth/telemetry/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createExchange } from './exchange.ts';
import { createObserve } from './observe.ts';

const log = createLogger({ level: 'info', service: 'test', stream: { write: () => {} } });
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
let telemetry: RecordedTelemetry;

beforeAll(async () => {
  telemetry = await recordTelemetry();
});
afterAll(() => telemetry.stop());

test("a request starts its own trace, linked to the client's, and its duration excludes the time held", async () => {
  const request = { method: 'GET', headers: { traceparent } };
  const exchange = createExchange(
    request as never,
    { statusCode: 403 } as never,
    'list_messages',
    '/v0/messages',
  );
  await createObserve(log)(exchange, async () => {
    await pause(100);
    exchange.heldMs = 100;
    exchange.error = forbidden('no');
  });
  const span = telemetry.span('GET /v0/messages');
  expect(span.spanContext().traceId).not.toBe('0af7651916cd43dd8448eb211c80319c');
  expect(span.parentSpanContext).toBeUndefined();
  expect(span.links.map(({ context }) => context)).toEqual([
    expect.objectContaining({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }),
  ]);
  expect(span.attributes).toMatchObject({
    'hearth.operation': 'list_messages',
    'http.response.status_code': 403,
    'error.type': 'forbidden',
  });
  const name = 'http.server.request.duration';
  const durations = (await telemetry.metrics()).find(({ descriptor }) => descriptor.name === name);
  const [point] = durations?.dataPoints ?? [];
  expect(point?.attributes).toMatchObject({ 'http.route': '/v0/messages', 'http.response.status_code': 403 });
  expect(point?.value).toMatchObject({ count: 1 });
  expect(((point?.value ?? { sum: 1 }) as { sum: number }).sum).toBeLessThan(0.05);
});

test.each([undefined, 'nonsense', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
  'a request that comes with traceparent %j is linked with nothing',
  async (given) => {
    const request = { method: 'GET', headers: { traceparent: given } };
    const exchange = createExchange(request as never, { statusCode: 200 } as never, 'whoami', `/v0/${given}`);
    await createObserve(log)(exchange, async () => {});
    const span = telemetry.span(`GET /v0/${given}`);
    expect(span.links).toEqual([]);
    expect(span.parentSpanContext).toBeUndefined();
  },
);
