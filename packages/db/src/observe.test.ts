import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Database } from './database.ts';
import { named, sql } from './sql.ts';
import { type OwnDatabase, ownDatabase } from './test-support.ts';

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 600_000 });
const meters = new MeterProvider({ readers: [reader] });
let own: OwnDatabase;
let database: Database;

beforeAll(async () => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(meters as never);
  own = await ownDatabase();
  database = own.open({ maxConnections: 1, applicationName: 'observed' });
});

afterAll(async () => {
  await own.remove();
  await meters.shutdown();
  trace.disable();
  metrics.disable();
});

test('every statement is a client span with its name, and without its text or values', async () => {
  spans.reset();
  await database.db.query(named('find-secret', sql`select ${'hunter2'}::text as secret`));
  const [span] = spans.getFinishedSpans();
  expect(span).toMatchObject({
    name: 'db.query',
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'find-secret' },
  });
  expect(JSON.stringify(span!.attributes)).not.toContain('hunter2');
});

test('a failed statement marks its span with the code alone', async () => {
  spans.reset();
  await database.db.query(named('cast', sql`select ${'hunter2'}::text::uuid`)).catch(() => {});
  const [span] = spans.getFinishedSpans();
  expect(span!.status.code).toBe(SpanStatusCode.ERROR);
  expect(span!.attributes['error.type']).toBe('22P02');
  expect(JSON.stringify([span!.attributes, span!.status, span!.events])).not.toContain('hunter2');
});

test('the wait for a connection is measured', async () => {
  await Promise.all([1, 2].map(() => database.db.query(sql`select pg_sleep(0.1)`)));
  await reader.forceFlush();
  const histograms = measured
    .getMetrics()
    .flatMap((all) => all.scopeMetrics)
    .flatMap((scope) => scope.metrics);
  const wait = histograms.find((one) => one.descriptor.name === 'db.client.connection.wait_time')!;
  const point = wait.dataPoints.find(
    (one) => one.attributes['db.client.connection.pool.name'] === 'observed',
  )!;
  const value = point.value as { count: number; max: number };
  expect(value.count).toBe(4);
  expect(value.max).toBeGreaterThan(0.08);
  expect(value.max).toBeLessThan(1);
});
