import {
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api';
import { tracing } from './recording.ts';

/**
 * The active span in W3C Trace Context form (https://www.w3.org/TR/trace-context/), to send with a call or store with
 * an event: `00-<32 hex digits>-<16 hex digits>-<2 hex digits>`. Undefined without a span.
 */
export function injectTrace(): string | undefined {
  if (!tracing.enabled) return undefined;
  const active = trace.getActiveSpan()?.spanContext();
  return active !== undefined && isSpanContextValid(active) ? printTrace(active) : undefined;
}

/** The caller's context, for use as a span's parent; undefined if absent or malformed. */
export function extractTrace(traceparent: string | undefined): Context | undefined {
  if (!tracing.enabled || traceparent === undefined) return undefined;
  const remote = parseTrace(traceparent);
  return remote === undefined ? undefined : trace.setSpanContext(ROOT_CONTEXT, remote);
}

/**
 * A link to the span that caused this work, for work that is connected but not part of it: an event from the bus, a
 * batch of many requests, a request from outside the home.
 */
export function linkFrom(traceparent: string | undefined): Link | undefined {
  if (!tracing.enabled || traceparent === undefined) return undefined;
  const remote = parseTrace(traceparent);
  return remote === undefined ? undefined : { context: remote };
}

export function printTrace({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`;
}

// Versions after 00 may have further fields; ff and all-zero ids are forbidden.
const format = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxTraceparent = 256;

/** Parses a span context; undefined if the standard says to ignore it. */
export function parseTrace(traceparent: string): SpanContext | undefined {
  if (traceparent.length > maxTraceparent) return undefined;
  const match = format.exec(traceparent);
  if (match === null || (match[1] === '00' && match[5] !== undefined)) return undefined;
  return {
    traceId: match[2]!,
    spanId: match[3]!,
    // Only the flag "sampled" has a meaning here.
    traceFlags: Number.parseInt(match[4]!, 16) & 1,
    isRemote: true,
  };
}
