import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api';
import { tracing } from './recording.ts';

/** W3C Trace Context (https://www.w3.org/TR/trace-context/) as headers, metadata and envelopes carry it. */
export interface TraceCarrier {
  /** `00-<32 hex digits>-<16 hex digits>-<2 hex digits>`. */
  traceparent: string;
  tracestate?: string;
}

/** A holder of a trace context: a carrier, Node's incoming HTTP headers, or an event envelope. */
export interface PossibleCarrier {
  readonly traceparent?: string | readonly string[] | undefined;
  readonly tracestate?: string | readonly string[] | undefined;
}

/** The part of gRPC metadata that this module needs. */
export interface MetadataReader {
  get(name: string): readonly (string | Uint8Array)[];
}
export interface MetadataWriter {
  set(name: string, value: string): void;
}

/** The active span's context, to send along with a call or to store with an event; undefined without one. */
export function injectTrace(): TraceCarrier | undefined {
  if (!tracing.enabled) return undefined;
  const active = trace.getActiveSpan()?.spanContext();
  return active !== undefined && isSpanContextValid(active) ? printTrace(active) : undefined;
}

/** Adds the active span's context to outgoing gRPC metadata. */
export function injectMetadata(metadata: MetadataWriter): void {
  const carrier = injectTrace();
  if (carrier === undefined) return;
  metadata.set('traceparent', carrier.traceparent);
  if (carrier.tracestate !== undefined) metadata.set('tracestate', carrier.tracestate);
}

/** The caller's context, to be the parent of a span; undefined when there is none or it is malformed. */
export function extractTrace(carrier: PossibleCarrier | undefined): Context | undefined {
  if (!tracing.enabled || carrier === undefined) return undefined;
  const remote = parseTrace(carrier);
  return remote === undefined ? undefined : trace.setSpanContext(ROOT_CONTEXT, remote);
}

/** `extractTrace` for incoming gRPC metadata. */
export function extractMetadata(metadata: MetadataReader): Context | undefined {
  if (!tracing.enabled) return undefined;
  const text = (name: string) => metadata.get(name).filter((value) => typeof value === 'string');
  return extractTrace({ traceparent: text('traceparent'), tracestate: text('tracestate') });
}

/**
 * A link to the span that caused this work, for what is connected but not part of it: an event received
 * from the bus, a batch made of many requests, a request from outside the home.
 */
export function linkFrom(traceparent: string | undefined, tracestate?: string): Link | undefined {
  if (!tracing.enabled || traceparent === undefined) return undefined;
  const remote = parseTrace({ traceparent, tracestate });
  return remote === undefined ? undefined : { context: remote };
}

/** Runs `work` as if in the extracted context; in the present one when that is undefined. */
export function withTrace<Result>(parent: Context | undefined, work: () => Result): Result {
  return parent === undefined ? work() : context.with(parent, work);
}

export function printTrace(span: SpanContext): TraceCarrier {
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
  const traceparent = `00-${span.traceId}-${span.spanId}-${flags}`;
  const tracestate = span.traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

// A later version than 00 may have more fields behind; ff is forbidden, and so are ids of zeros.
const format = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxTraceparent = 256;
const maxTracestate = 512;

/** The span context that a carrier writes, or undefined when the standard says to ignore it. */
export function parseTrace(carrier: PossibleCarrier): SpanContext | undefined {
  const traceparent = only(carrier.traceparent);
  if (traceparent === undefined || traceparent.length > maxTraceparent) return undefined;
  const match = format.exec(traceparent);
  if (match === null || (match[1] === '00' && match[5] !== undefined)) return undefined;
  const tracestate = joined(carrier.tracestate);
  return {
    traceId: match[2]!,
    spanId: match[3]!,
    // Only the flag "sampled" has a meaning here.
    traceFlags: Number.parseInt(match[4]!, 16) & 1,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
}

/** A header that may come once: undefined when it is missing or repeated. */
function only(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return value?.length === 1 ? value[0] : undefined;
}

function joined(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.join(',');
  return text === undefined || text === '' || text.length > maxTracestate ? undefined : text;
}
