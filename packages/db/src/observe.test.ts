import { type RecordedTelemetry, recordTelemetry } from '@hearth/telemetry/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Database } from './database.ts';
import { named, sql } from './sql.ts';
import { type OwnDatabase, ownDatabase } from './test-support.ts';

let telemetry: RecordedTelemetry;
let own: OwnDatabase;
let database: Database;

beforeAll(async () => {
  telemetry = await recordTelemetry();
  own = await ownDatabase();
  database = own.open({ maxConnections: 1, applicationName: 'observed' });
});

beforeEach(() => telemetry.reset());

afterAll(async () => {
  await own.remove();
  await telemetry.stop();
});

test('every statement is a client span with its name, and without its text or values', async () => {
  await database.db.query(named('find-secret')`select ${'hunter2'}::text as secret`);
  const span = telemetry.span('db.query');
  expect(span).toMatchObject({
    name: 'db.query',
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'find-secret' },
  });
  expect(JSON.stringify(span.attributes)).not.toContain('hunter2');
});

test('a failed statement marks its span with the code alone', async () => {
  await database.db.query(named('cast')`select ${'hunter2'}::text::uuid`).catch(() => {});
  const span = telemetry.span('db.query');
  expect(span.status.code).toBe(SpanStatusCode.ERROR);
  expect(span.attributes['error.type']).toBe('22P02');
  expect(JSON.stringify([span.attributes, span.status, span.events])).not.toContain('hunter2');
});

test('the wait for a connection is measured', async () => {
  await Promise.all([1, 2].map(() => database.db.query(sql`select pg_sleep(0.1)`)));
  const wait = (await telemetry.metrics()).find(
    (one) => one.descriptor.name === 'db.client.connection.wait_time',
  )!;
  const point = wait.dataPoints.find(
    (one) => one.attributes['db.client.connection.pool.name'] === 'observed',
  )!;
  const value = point.value as { count: number; max: number };
  expect(value.count).toBe(4);
  expect(value.max).toBeGreaterThan(0.08);
  // Seconds: 100 milliseconds would be 100.
  expect(value.max).toBeLessThan(60);
});
