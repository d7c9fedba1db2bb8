export {
  counter,
  eventCounter,
  gauge,
  histogram,
  requestBounds,
  upDownCounter,
} from './instruments.ts';
export { createLogger, type Logger, type LogLevel } from './logger.ts';
export {
  type HoldOutcome,
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
export { isFruitless, isUntraced, runUntraced, spanOnceFound } from './quiet.ts';
export { metering, tracing } from './recording.ts';
export { type AskingTrace, askingTrace, runFor } from './shared-work.ts';
export { recordError, span } from './span.ts';
export { startTelemetry } from './start.ts';
export { extractTrace, injectTrace, linkFrom } from './trace-context.ts';
