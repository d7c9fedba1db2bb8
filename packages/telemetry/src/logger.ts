import { trace } from '@opentelemetry/api';
import { pino, stdTimeFunctions } from 'pino';
import { readableStream } from './readable-stream.ts';
import { tracing } from './recording.ts';
import { redactFields } from './redact.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Writes one line; `fields` may contain an error as `err`. */
export interface LogMethod {
  (fields: object, message: string): void;
  (message: string): void;
}

/** The logger of a home's code. `error` is for failures that an operator must look at. */
export interface Logger {
  error: LogMethod;
  warn: LogMethod;
  info: LogMethod;
  debug: LogMethod;
  /** A logger whose lines also carry these fields. */
  child(fields: object): Logger;
  isLevelEnabled(level: LogLevel): boolean;
}

export interface LoggerOptions {
  level: LogLevel;
  service: string;
  /** The destination of lines (default: stdout, as JSON, or readable at a terminal). */
  stream?: { write(line: string): unknown };
}

const errorLevel = 50;

/**
 * A logger of JSON lines with the ids of the active trace and span. Secrets and bodies are redacted at any depth, also
 * in the fields of child loggers; the message is written unchanged.
 */
export function createLogger({ level, service, stream = standardOutput() }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // pino's own serializer would restore what was left out of an error.
      serializers: { err: (serialised: unknown) => serialised },
      mixin: (fields, lineLevel) => ({ ...redactFields(fields, lineLevel >= errorLevel), ...activeTrace() }),
      mixinMergeStrategy: (_fields, mixed) => mixed,
    },
    stream,
  );
  return wrap(logger);
}

type Pino = Pick<pino.Logger, LogLevel | 'child' | 'isLevelEnabled'>;

/** pino offers more than the project uses, and a child's fields can only be redacted here. */
function wrap(logger: Pino): Logger {
  return {
    error: logger.error.bind(logger),
    warn: logger.warn.bind(logger),
    info: logger.info.bind(logger),
    debug: logger.debug.bind(logger),
    child: (fields) => wrap(logger.child(redactFields(fields, false))),
    isLevelEnabled: (level) => logger.isLevelEnabled(level),
  };
}

function activeTrace(): { trace_id?: string; span_id?: string } {
  if (!tracing.enabled) return {};
  const active = trace.getActiveSpan()?.spanContext();
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

function standardOutput(): { write(line: string): unknown } {
  return process.stdout.isTTY ? readableStream(process.stdout) : pino.destination(1);
}
