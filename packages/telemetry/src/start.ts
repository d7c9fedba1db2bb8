import type { Logger } from './logger.ts';
import { setRecording } from './recording.ts';
import type { Exporters, Sdk } from './sdk.ts';

/** The OTEL_* variables, or the whole environment. */
export type TelemetryEnvironment = Readonly<Record<string, string | undefined>>;

export interface TelemetryOptions {
  /**
   * Decides whether anything is started. The SDK reads the remaining OTEL_* variables from the process environment
   * itself.
   */
  env: TelemetryEnvironment;
  /** `service.name`, unless OTEL_SERVICE_NAME overrides it. */
  service: string;
  /** `service.instance.id`: identifies this replica. */
  instance: string;
  /** Receives export failures. */
  logger?: Logger;
  /** Receives spans and metrics instead of the destinations in `env`: for tests. */
  exporters?: Exporters;
}

export interface Telemetry {
  readonly traces: boolean;
  readonly metrics: boolean;
  /** Sends the remainder, for at most five seconds, and stops recording. Never throws. */
  shutdown(): Promise<void>;
}

/** Starts traces and metrics if OpenTelemetry's variables name a destination; otherwise loads and opens nothing. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { env, service, instance, logger, exporters } = options;
  const traces = exporters === undefined ? isExported('TRACES', env) : exporters.spans !== undefined;
  const metrics = exporters === undefined ? isExported('METRICS', env) : exporters.metricReader !== undefined;
  if (!traces && !metrics) return { traces, metrics, shutdown: async () => {} };

  // The SDK takes 30 MB of memory and 200 ms to start: only a home that exports pays for it.
  const { startSdk } = await import('./sdk.ts');
  const sdk = startSdk({ traces, metrics, service, instance, logger, exporters });
  setRecording({ traces, metrics });
  return { traces, metrics, shutdown: () => shutdown(sdk, logger) };
}

/**
 * Whether a signal has a destination: an OTLP endpoint, for all signals or this one, or a named exporter (`console`,
 * `prometheus`). The SDK would try localhost by default; a home stays silent instead.
 */
export function isExported(signal: 'TRACES' | 'METRICS', env: TelemetryEnvironment): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false;
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim();
  if (exporter) return !exporter.split(',').some((name) => name.trim() === 'none');
  return Boolean(
    env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim(),
  );
}

const shutdownBound = 5_000;

async function shutdown(sdk: Sdk, logger: Logger | undefined): Promise<void> {
  setRecording({ traces: false, metrics: false });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${shutdownBound} ms`)), shutdownBound);
  });
  try {
    await Promise.race([sdk.shutdown(), late]);
  } catch (err) {
    logger?.warn({ err }, 'the last traces and metrics could not be sent');
  } finally {
    clearTimeout(timer);
  }
}
