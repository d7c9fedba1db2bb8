export {
  counter,
  gauge,
  histogram,
  inwardBounds,
  requestBounds,
  upDownCounter,
  type InstrumentOptions,
} from './instruments.ts';
export { createLogger, type Logger, type LoggerOptions, type LogLevel, type LogMethod } from './logger.ts';
export {
  recordCall,
  recordHeard,
  recordHoldEnd,
  recordHoldStart,
  recordOutboxLag,
  recordPoolWait,
  recordRequest,
  recordWake,
  type CallEvent,
  type HoldOutcome,
  type RequestEvent,
} from './metrics.ts';
export { metering, tracing } from './recording.ts';
export { recordError, span, type SpanOptions } from './span.ts';
export { startTelemetry, type Telemetry, type TelemetryOptions } from './start.ts';
export {
  extractMetadata,
  extractTrace,
  injectMetadata,
  injectTrace,
  linkFrom,
  withTrace,
  type MetadataReader,
  type MetadataWriter,
  type PossibleCarrier,
  type TraceCarrier,
} from './trace-context.ts';
