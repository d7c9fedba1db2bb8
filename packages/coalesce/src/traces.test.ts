import { span } from '@hearth/telemetry';
import { type RecordedTelemetry, recordTelemetry } from '@hearth/telemetry/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createCoalescer } from './coalescer.ts';

let telemetry: RecordedTelemetry;

beforeAll(async () => {
  telemetry = await recordTelemetry();
});
beforeEach(() => telemetry.reset());
afterAll(() => telemetry.stop());

const coalescer = createCoalescer<string, string>({
  name: 'batch',
  maxInFlight: 1,
  run: (items) => span(`statement for ${items.join('+')}`, {}, async () => items),
});
const request = (name: string) => span(name, {}, () => coalescer.add(name));
const parentOf = (name: string) => telemetry.span(name).parentSpanContext?.spanId;
const idOf = (name: string) => telemetry.span(name).spanContext().spanId;

test('a run belongs to the trace of its own request, not of the one that freed the slot', async () => {
  const first = request('first');
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, request('second')]);
  expect(parentOf('statement for first')).toBe(idOf('first'));
  expect(parentOf('statement for second')).toBe(idOf('second'));
});

test('a run for several is linked with each of them', async () => {
  await Promise.all(['one', 'two'].map(request));
  expect(parentOf('statement for one+two')).toBe(idOf('batch'));
  expect(parentOf('batch')).toBe(idOf('one'));
  expect(telemetry.span('two').links.map((link) => link.context.spanId)).toEqual([idOf('batch')]);
});
