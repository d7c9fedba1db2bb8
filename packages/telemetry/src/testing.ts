import type { MetricData } from '@opentelemetry/sdk-metrics';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { startTelemetry } from './start.ts';

export type { MetricData, ReadableSpan };

/** The telemetry of a test's process, as the test sees it. */
export interface RecordedTelemetry {
  /** The ended spans, oldest first. */
  spans(): ReadableSpan[];
  /** The span with that name; throws unless there is exactly one. */
  span(name: string): ReadableSpan;
  /** Every metric with its current data points. */
  metrics(): Promise<MetricData[]>;
  /** Clears the spans so far. */
  reset(): void;
  stop(): Promise<void>;
}

/** Records this process's telemetry in memory until `stop`; for tests, one at a time. */
export async function recordTelemetry(service = 'test'): Promise<RecordedTelemetry> {
  const exporter = new InMemorySpanExporter();
  const metricReader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 2 ** 31 - 1,
  });
  const telemetry = await startTelemetry({
    env: {},
    service,
    instance: 'test',
    exporters: { spans: exporter, metricReader },
  });
  return {
    spans: () => exporter.getFinishedSpans(),
    span(name) {
      const found = exporter.getFinishedSpans().filter((span) => span.name === name);
      if (found.length !== 1) throw new Error(`${found.length} spans are called ${name}`);
      return found[0]!;
    },
    async metrics() {
      const { resourceMetrics } = await metricReader.collect();
      return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    },
    reset: () => exporter.reset(),
    stop: () => telemetry.shutdown(),
  };
}
