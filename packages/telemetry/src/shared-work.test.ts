import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { context, trace } from '@opentelemetry/api';
import { askingTrace, runFor, span } from './index.ts';
import { type ReadableSpan, type RecordedTelemetry, recordTelemetry } from './testing.ts';

let telemetry: RecordedTelemetry;

beforeAll(async () => {
  telemetry = await recordTelemetry();
});
beforeEach(() => telemetry.reset());
afterAll(() => telemetry.stop());

/** Runs `work` for requests with these names, each still open, as a coalescer would. */
async function share(names: string[], name: string | undefined, work: () => Promise<void>): Promise<void> {
  const askers: ReturnType<typeof askingTrace>[] = [];
  const ask = async ([first, ...rest]: string[]): Promise<void> => {
    if (first === undefined) return await context.with(askers[0]!, () => runFor(askers, name, work));
    await span(first, { parent: root }, async () => {
      askers.push(askingTrace());
      await ask(rest);
    });
  };
  const root = context.active();
  await ask(names);
}

const statement = () => span('statement', {}, async () => {});
const ids = (spans: ReadableSpan['links']) => spans.map((link) => link.context.spanId);
const idOf = (found: ReadableSpan) => found.spanContext().spanId;

describe('work shared by several requests', () => {
  test('is a span in the trace of the first request, linked with the others in both directions', async () => {
    await share(['one', 'two', 'three'], 'batch', statement);
    const [one, two, three] = ['one', 'two', 'three'].map((name) => telemetry.span(name)) as ReadableSpan[];
    const batch = telemetry.span('batch');
    expect(batch.parentSpanContext?.spanId).toBe(idOf(one!));
    expect(batch.attributes).toEqual({ 'hearth.batch_size': 3 });
    expect(ids(batch.links)).toEqual([idOf(two!), idOf(three!)]);
    expect(ids(two!.links)).toEqual([idOf(batch)]);
    expect(ids(three!.links)).toEqual([idOf(batch)]);
    expect(one!.links).toEqual([]);
    expect(telemetry.span('statement').parentSpanContext?.spanId).toBe(idOf(batch));
    expect(new Set([one, two, three].map((each) => each!.spanContext().traceId)).size).toBe(3);
  });

  test('for a single request has no span in between', async () => {
    await share(['one'], 'batch', statement);
    expect(telemetry.spans().map(({ name }) => name)).toEqual(['statement', 'one']);
    expect(telemetry.span('statement').parentSpanContext?.spanId).toBe(idOf(telemetry.span('one')));
  });

  test('without a name has no span of its own', async () => {
    await share(['one', 'two'], undefined, statement);
    expect(telemetry.span('statement').parentSpanContext?.spanId).toBe(idOf(telemetry.span('one')));
  });

  test('belongs to the request that is sampled', async () => {
    const unsampled = trace.setSpanContext(context.active(), {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      traceFlags: 0,
    });
    await span('sampled', {}, () => runFor([unsampled, askingTrace()], 'batch', statement));
    expect(telemetry.span('batch').parentSpanContext?.spanId).toBe(idOf(telemetry.span('sampled')));
  });

  test('runs without any trace', async () => {
    expect(await runFor([undefined, undefined], 'batch', async () => 7)).toBe(7);
    expect(await runFor([], 'batch', async () => 8)).toBe(8);
  });

  test('links to at most 32 requests', async () => {
    await share(
      Array.from({ length: 50 }, (_, index) => `${index}`),
      'batch',
      statement,
    );
    expect(telemetry.span('batch').links).toHaveLength(32);
  });
});
