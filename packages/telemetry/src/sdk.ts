import { context, DiagLogLevel, diag, metrics, propagation, trace } from '@opentelemetry/api';
import { defaultResource, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { IMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';

/** Destinations of spans and metrics, if not taken from the environment. */
export interface Exporters {
  spans?: SpanExporter;
  metricReader?: IMetricReader;
}

export interface SdkOptions {
  traces: boolean;
  metrics: boolean;
  service: string;
  instance: string;
  logger: Logger | undefined;
  exporters: Exporters | undefined;
}

export interface Sdk {
  shutdown(): Promise<void>;
}

/** Registers OpenTelemetry's SDK. Only `startTelemetry` imports this file, and only when needed. */
export function startSdk(options: SdkOptions): Sdk {
  const { service, instance, logger, exporters } = options;
  if (logger !== undefined) reportTo(logger);
  const sdk = new NodeSDK({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.namespace': 'hearth',
        'service.name': service,
        'service.instance.id': instance,
      }),
    ),
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES; host and command line are left out.
    resourceDetectors: [envDetector],
    // An empty list switches a signal off; undefined leaves it to the environment.
    spanProcessors: options.traces ? spanProcessors(exporters?.spans) : [],
    metricReaders: options.metrics ? exporters?.metricReader && [exporters.metricReader] : [],
    logRecordProcessors: [],
  });
  sdk.start();
  return {
    async shutdown() {
      try {
        await sdk.shutdown();
      } finally {
        for (const registered of [trace, metrics, context, propagation, diag]) registered.disable();
      }
    },
  };
}

function spanProcessors(exporter: SpanExporter | undefined): SimpleSpanProcessor[] | undefined {
  return exporter && [new SimpleSpanProcessor({ exporter })];
}

function reportTo(logger: Logger): void {
  const child = logger.child({ component: 'opentelemetry' });
  const at = (level: 'warn' | 'debug') => (message: string) => child[level](message);
  // An unreachable collector must not fill the log with errors: the home itself is well.
  const report = {
    error: at('warn'),
    warn: at('warn'),
    info: at('debug'),
    debug: at('debug'),
    verbose: at('debug'),
  };
  diag.setLogger(report, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
