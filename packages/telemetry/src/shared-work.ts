import { type Context, context, type Link, type Span, TraceFlags, trace } from '@opentelemetry/api';
import { tracing } from './recording.ts';
import { span } from './span.ts';

/** The trace of a caller that requests work, kept until the work is done; undefined while nothing is traced. */
export type AskingTrace = Context | undefined;

const maxLinks = 32;

export function askingTrace(): AskingTrace {
  return tracing.enabled ? context.active() : undefined;
}

/**
 * Runs work requested by several callers within the trace of the first sampled one. Work for more than one becomes a
 * span of that name (none if undefined), linked with the others' spans in both directions, so that each leads to the
 * statement made for it.
 */
export function runFor<Result>(
  askers: readonly AskingTrace[],
  name: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tracing.enabled) return work();
  const present = askers.filter((asker) => asker !== undefined);
  const parent = present.find(isSampled) ?? present[0] ?? context.active();
  if (askers.length < 2 || name === undefined) return context.with(parent, work);
  const others = spansOf(present.filter((asker) => asker !== parent).slice(0, maxLinks));
  const links = others.map((other): Link => ({ context: other.spanContext() }));
  const attributes = { 'hearth.batch_size': askers.length };
  return span(name, { attributes, links, parent }, (batch) => {
    for (const other of others) other.addLink({ context: batch.spanContext() });
    return work();
  });
}

function isSampled(asker: Context): boolean {
  return ((trace.getSpanContext(asker)?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;
}

function spansOf(askers: readonly Context[]): Span[] {
  return askers.map((asker) => trace.getSpan(asker)).filter((found) => found !== undefined);
}
