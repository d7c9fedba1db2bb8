import { trace } from '@opentelemetry/api';
import { pino, stdTimeFunctions } from 'pino';
import { readableStream } from './readable-stream.ts';
import { tracing } from './recording.ts';
import { redactFields } from './redact.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Writes one line; `fields` may hold an error as `err`. */
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
  /** A logger whose lines carry these fields too. */
  child(fields: object): Logger;
  isLevelEnabled(level: LogLevel): boolean;
}

export interface LoggerOptions {
  level: LogLevel;
  service: string;
  /** Where the lines go (default: stdout, as JSON, or as readable lines at a terminal). */
  stream?: { write(line: string): unknown };
}

const errorLevel = 50;

/**
 * A logger of JSON lines. Each carries the ids of the active trace and span; secrets and bodies are
 * hidden at any depth, in the fields of child loggers as well (the message is written as it is).
 */
export function createLogger({ level, service, stream = standardOutput() }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // pino's own serializer would put back what was left out of an error.
      serializers: { err: (serialised: unknown) => serialised },
      mixin: (fields, lineLevel) => ({ ...redactFields(fields, lineLevel >= errorLevel), ...activeTrace() }),
      mixinMergeStrategy: (_fields, mixed) => mixed,
    },
    stream,
  );
  return wrap(logger);
}

type Pino = Pick<pino.Logger, LogLevel | 'child' | 'isLevelEnabled'>;

/** pino knows more than the project uses; and only here can the fields of a child be redacted. */
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
