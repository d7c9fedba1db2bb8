import { HearthError, notFound } from '@hearth/errors';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extractTrace, injectTrace, linkFrom, span, tracing } from './index.ts';
import { type RecordedTelemetry, recordTelemetry } from './testing.ts';
import { parseTrace, printTrace } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

describe('without telemetry', () => {
  test('no span is created, and work runs unchanged', async () => {
    expect(tracing.enabled).toBe(false);
    expect(injectTrace()).toBeUndefined();
    expect(extractTrace(traceparent)).toBeUndefined();
    expect(linkFrom(traceparent)).toBeUndefined();
    expect(await span('work', {}, async (active) => active.isRecording())).toBe(false);
    await expect(span('work', {}, async () => Promise.reject(notFound()))).rejects.toThrow('not found');
  });
});

describe('with telemetry', () => {
  let telemetry: RecordedTelemetry;
  beforeEach(async () => {
    telemetry = await recordTelemetry();
  });
  afterEach(() => telemetry.stop());

  test('spans on both sides of a call form one tree', async () => {
    let sent: string | undefined;
    await span('POST /v0/messages', { kind: 'server', parent: extractTrace(traceparent) }, async () => {
      await span('SendMessage', { kind: 'client' }, async () => {
        sent = injectTrace();
      });
    });
    await span('SendMessage (server)', { kind: 'server', parent: extractTrace(sent) }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await span('insert', {}, async () => {});
    });

    const [request, client, server, insert] = [
      'POST /v0/messages',
      'SendMessage',
      'SendMessage (server)',
      'insert',
    ].map((name) => telemetry.span(name));
    const ids = [request, client, server, insert].map((one) => one!.spanContext().traceId);
    expect(new Set(ids)).toEqual(new Set([traceId]));
    const parents = [request, client, server, insert].map((one) => one!.parentSpanContext?.spanId);
    expect(parents).toEqual([
      spanId,
      request!.spanContext().spanId,
      client!.spanContext().spanId,
      server!.spanContext().spanId,
    ]);
    expect(server!.parentSpanContext?.isRemote).toBe(true);
  });

  test('an event from the bus is linked to its cause, in a trace of its own', async () => {
    let sent: string | undefined;
    await span('announce', { kind: 'producer' }, async () => {
      sent = injectTrace();
    });
    const links = [linkFrom(sent), linkFrom('nonsense'), linkFrom(undefined)];
    await span('receive', { kind: 'consumer', links }, async () => {});
    const [announced, received] = [telemetry.span('announce'), telemetry.span('receive')];
    expect(received.links.map((link) => link.context.spanId)).toEqual([announced.spanContext().spanId]);
    expect(received.spanContext().traceId).not.toBe(announced.spanContext().traceId);
  });

  test('an unsampled caller is not recorded, nor are its calls', async () => {
    const parent = extractTrace(`00-${traceId}-${spanId}-00`);
    await span('work', { parent }, async () => expect(injectTrace()).toMatch(/-00$/));
    expect(telemetry.spans()).toEqual([]);
  });

  test('a fault marks the span as failed, and an expected refusal does not', async () => {
    const fault = new HearthError('unavailable', 'the database is away');
    await expect(span('fault', {}, () => Promise.reject(fault))).rejects.toBe(fault);
    await expect(
      span('bug', {}, () => Promise.reject(new TypeError('undefined is not a function'))),
    ).rejects.toThrow();
    await expect(span('refused', {}, () => Promise.reject(notFound()))).rejects.toThrow();
    await expect(
      span('thrown', {}, async () => {
        throw 'text';
      }),
    ).rejects.toBe('text');
    expect(telemetry.span('fault')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'unavailable' },
    });
    expect(telemetry.span('fault').events.map((event) => event.name)).toEqual(['exception']);
    expect(telemetry.span('bug')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'TypeError' },
    });
    expect(telemetry.span('refused')).toMatchObject({
      status: { code: 0 },
      events: [],
      attributes: { 'error.type': 'not_found' },
    });
    expect(telemetry.span('thrown').status.message).toBe('text');
  });
});

describe('traceparent', () => {
  test.each([
    [''],
    ['00'],
    [traceparent.toUpperCase()],
    [`${traceparent}-`],
    [`${traceparent} `],
    [`\n${traceparent}`],
    [traceparent.replace(traceId, '0'.repeat(32))],
    [traceparent.replace(spanId, '0'.repeat(16))],
    [traceparent.replace('00-', 'ff-')],
    [`01-${traceparent.slice(3)}x`],
    [`01-${traceparent.slice(3)}-${'x'.repeat(300)}`],
    [`${traceparent}, ${traceparent}`],
  ])('%j is ignored', (value) => {
    expect(parseTrace(value)).toBeUndefined();
  });

  test('a later version is parsed as far as it is known', () => {
    expect(parseTrace(`01-${traceparent.slice(3)}-more`)).toMatchObject({
      traceId,
      spanId,
      traceFlags: 1,
    });
    expect(parseTrace(traceparent.replace(/01$/, 'ff'))?.traceFlags).toBe(1);
  });

  test('survives printing and parsing, and parsing never throws', () => {
    const hex = (length: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
    const id = (length: number) => hex(length).filter((text) => !/^0+$/.test(text));
    fc.assert(
      fc.property(id(32), id(16), fc.boolean(), (trace_, span_, sampled) => {
        const context = { traceId: trace_, spanId: span_, traceFlags: sampled ? 1 : 0 };
        expect(parseTrace(printTrace(context))).toEqual({ ...context, isRemote: true });
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseTrace(text)));
  });
});
