import {
  type Attributes,
  context,
  createContextKey,
  INVALID_SPAN_CONTEXT,
  type Link,
  type Span,
  type SpanContext,
  type SpanStatus,
  trace,
} from '@opentelemetry/api';
import { tracing } from './recording.ts';
import { recordError } from './span.ts';

const untracedKey = createContextKey('hearth untraced');

/** Runs `work` without a span for it or anything within it: for polls that happen whether or not there is work. */
export function runUntraced<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!tracing.enabled) return work();
  const nothing = trace.setSpan(context.active(), trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
  return context.with(nothing.setValue(untracedKey, true), work);
}

export const isUntraced = (): boolean => context.active().getValue(untracedKey) === true;

/**
 * Runs `work` within a span that starts only once work is found: with the first child span, a failure, or a request for
 * its ids. Work that finds nothing leaves no span.
 */
export async function spanOnceFound(name: string, work: () => Promise<void>): Promise<void> {
  if (!tracing.enabled) return await work();
  const span = new LateSpan(name);
  try {
    await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    recordError(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Whether the surrounding work has found nothing yet: a statement that also finds nothing needs no span. */
export function isFruitless(): boolean {
  const active = trace.getActiveSpan();
  return active instanceof LateSpan && !active.begun;
}

/** A span that starts, backdated to its creation, when it is first needed. */
class LateSpan implements Span {
  readonly #name: string;
  readonly #startTime = performance.now();
  #span: Span | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get begun(): boolean {
    return this.#span !== undefined;
  }

  get #real(): Span {
    this.#span ??= trace
      .getTracer('hearth')
      .startSpan(this.#name, { startTime: this.#startTime, root: true });
    return this.#span;
  }

  spanContext(): SpanContext {
    return this.#real.spanContext();
  }
  setAttribute(key: string, value: NonNullable<Attributes[string]>): this {
    this.#real.setAttribute(key, value);
    return this;
  }
  setAttributes(attributes: Attributes): this {
    this.#real.setAttributes(attributes);
    return this;
  }
  addEvent(...event: Parameters<Span['addEvent']>): this {
    this.#real.addEvent(...event);
    return this;
  }
  addLink(link: Link): this {
    this.#real.addLink(link);
    return this;
  }
  addLinks(links: Link[]): this {
    this.#real.addLinks(links);
    return this;
  }
  setStatus(status: SpanStatus): this {
    this.#real.setStatus(status);
    return this;
  }
  updateName(name: string): this {
    this.#real.updateName(name);
    return this;
  }
  recordException(...exception: Parameters<Span['recordException']>): void {
    this.#real.recordException(...exception);
  }
  isRecording(): boolean {
    return this.#span?.isRecording() ?? true;
  }
  end(): void {
    this.#span?.end();
  }
}
