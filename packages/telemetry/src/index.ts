export {
  counter,
  eventCounter,
  gauge,
  histogram,
  type InstrumentOptions,
  requestBounds,
  upDownCounter,
} from './instruments.ts';
export { createLogger, type Logger, type LoggerOptions, type LogLevel, type LogMethod } from './logger.ts';
export {
  type CallEvent,
  type HoldOutcome,
  type RequestEvent,
  recordCall,
  recordConsumed,
  recordForeignMessage,
  recordHoldEnd,
  recordHoldStart,
  recordOutbound,
  recordOutboxLag,
  recordPoolWait,
  recordRequest,
  recordSetAside,
  recordWake,
} from './metrics.ts';
export { metering, tracing } from './recording.ts';
export { type AskingTrace, askingTrace, runFor } from './shared-work.ts';
export { recordError, type SpanOptions, span } from './span.ts';
export { startTelemetry, type Telemetry, type TelemetryOptions } from './start.ts';
export {
  extractMetadata,
  extractTrace,
  injectMetadata,
  injectTrace,
  linkFrom,
  type MetadataReader,
  type MetadataWriter,
  type PossibleCarrier,
  type TraceCarrier,
  withTrace,
} from './trace-context.ts';
