import { runUntraced, spanOnceFound } from '@hearth/telemetry';
import { type RecordedTelemetry, recordTelemetry } from '@hearth/telemetry/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

test('a failed statement adds only its error code to its span', async () => {
  await database.db.query(named('cast')`select ${'hunter2'}::text::uuid`).catch(() => {});
  const span = telemetry.span('db.query');
  expect(span.status.code).toBe(SpanStatusCode.ERROR);
  expect(span.attributes['error.type']).toBe('22P02');
  expect(JSON.stringify([span.attributes, span.status, span.events])).not.toContain('hunter2');
});

test('the wait for a connection is measured', async () => {
  await Promise.all([1, 2].map(() => database.db.query(sql`select pg_sleep(0.1)`)));
  const wait = (await telemetry.metrics()).find(
    (metric) => metric.descriptor.name === 'db.client.connection.wait_time',
  )!;
  const point = wait.dataPoints.find(
    (point) => point.attributes['db.client.connection.pool.name'] === 'observed',
  )!;
  const value = point.value as { count: number; max: number };
  expect(value.count).toBe(4);
  expect(value.max).toBeGreaterThan(0.08);
  // In seconds: 100 ms reported in milliseconds would be 100.
  expect(value.max).toBeLessThan(60);
});

describe('a job', () => {
  const look = (rows: number) => database.db.query(sql`select from generate_series(1, ${rows}::int)`);

  test('that finds nothing leaves no span', async () => {
    await spanOnceFound('job look', async () => {
      await look(0);
      await database.statement((tx) => tx.execute(sql`select 1 where false`));
    });
    expect(telemetry.spans()).toEqual([]);
  });

  test('that finds work has a span, with its result and its child spans', async () => {
    await spanOnceFound('job look', async () => {
      await look(0);
      await look(2);
      await look(0);
    });
    const [found, after, job] = telemetry.spans();
    expect([found, after, job].map((span) => span!.name)).toEqual(['db.query', 'db.query', 'job look']);
    for (const span of [found, after])
      expect(span!.parentSpanContext?.spanId).toBe(job!.spanContext().spanId);
    expect(found!.startTime >= job!.startTime).toBe(true);
    expect(job!.parentSpanContext).toBeUndefined();
  });

  test('that fails has a span', async () => {
    await spanOnceFound('job look', async () => {
      throw new Error('away');
    }).catch(() => {});
    expect(telemetry.span('job look').status.code).toBe(SpanStatusCode.ERROR);
    telemetry.reset();
    await spanOnceFound('job cast', async () => {
      await database.db.query(named('cast')`select ${'x'}::text::uuid`);
    }).catch(() => {});
    expect(telemetry.span('db.query').parentSpanContext?.spanId).toBe(
      telemetry.span('job cast').spanContext().spanId,
    );
  });

  test('leaves no span for untraced work or a health check', async () => {
    await runUntraced(() => look(1));
    await database.check();
    expect(telemetry.spans()).toEqual([]);
  });
});
