import { errorKinds, isHearthError } from '@hearth/errors';
import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isUntraced } from './quiet.ts';
import { tracing } from './recording.ts';

export interface SpanOptions {
  /** This side of the call (default `internal`). */
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Ids and operation names, never text that people wrote to each other. */
  attributes?: Attributes;
  /** Causes of this work that do not contain it; unreadable entries are skipped. */
  links?: readonly (Link | undefined)[];
  /** The context of the request for this work, from `extractTrace`; the active span if undefined. */
  parent?: Context | undefined;
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const noSpan: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs `work` within a span, which is marked as failed if it throws. Without tracing it only calls `work`. Errors are
 * thrown on.
 */
export function span<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!tracing.enabled || isUntraced()) return work(noSpan);
  return record(name, options, work);
}

async function record<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const { kind = 'internal', attributes = {}, links = [], parent = context.active() } = options;
  const tracer = trace.getTracer('hearth');
  const started = tracer.startSpan(
    name,
    { kind: kinds[kind], attributes, links: links.filter((link) => link !== undefined) },
    parent,
  );
  try {
    return await context.with(trace.setSpan(parent, started), work, undefined, started);
  } catch (error) {
    recordError(started, error);
    throw error;
  } finally {
    started.end();
  }
}

/**
 * Records on `target` how its work failed. An error that the caller must act on (`not_found`, `bad_request`) is not the
 * home's fault: only its kind is recorded, and the span does not fail, as the conventions for servers require.
 */
export function recordError(target: Span, error: unknown): void {
  if (isHearthError(error) && errorKinds[error.kind].http < 500) {
    target.setAttribute('error.type', error.kind);
    return;
  }
  const exception = error instanceof Error ? error : new Error(String(error));
  target.setAttribute('error.type', isHearthError(error) ? error.kind : exception.name);
  target.recordException(exception);
  target.setStatus({ code: SpanStatusCode.ERROR, message: exception.message });
}
