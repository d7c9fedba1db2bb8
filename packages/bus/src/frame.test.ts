import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeFrame, encodeFrame, largestEvent, splitForFrames } from './frame.ts';

const someEvents = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 });
const plain = (events: Uint8Array[]) => events.map((event) => Buffer.from(event).toString('hex'));

describe('a frame', () => {
  test('decodes to the events that it was encoded from', () => {
    fc.assert(
      fc.property(someEvents, (events) => {
        expect(plain(decodeFrame(encodeFrame(events)))).toEqual(plain(events));
      }),
    );
  });

  test('is read the same from the middle of a larger buffer', () => {
    const events = [Uint8Array.of(1, 2, 3), new Uint8Array(), Uint8Array.of(4)];
    const frame = encodeFrame(events);
    const buffer = new Uint8Array(frame.length + 7);
    buffer.set(frame, 5);
    expect(plain(decodeFrame(buffer.subarray(5, 5 + frame.length)))).toEqual(plain(events));
  });

  test('is refused when cut anywhere but between two events', () => {
    const frame = encodeFrame([Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5)]);
    const whole = [1, 8, 14];
    for (let length = 0; length < frame.length; length += 1) {
      const cut = () => decodeFrame(frame.subarray(0, length));
      if (whole.includes(length)) expect(cut).not.toThrow();
      else expect(cut).toThrow(/a bus message/);
    }
  });

  test('of arbitrary bytes is either refused or encodes to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        let events: Uint8Array[];
        try {
          events = decodeFrame(bytes);
        } catch (error) {
          expect((error as Error).message).toMatch(/^a bus message/);
          return;
        }
        expect(Buffer.from(encodeFrame(events)).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });
});

describe('splitting into frames', () => {
  test('keeps every event, in order, within the largest frame', () => {
    fc.assert(
      fc.property(someEvents, fc.integer({ min: 205, max: 600 }), (events, maxBytes) => {
        const runs = splitForFrames(events, maxBytes);
        expect(plain(runs.flat())).toEqual(plain(events));
        for (const run of runs) {
          expect(run.length).toBeGreaterThan(0);
          expect(encodeFrame(run).length).toBeLessThanOrEqual(maxBytes);
        }
      }),
    );
  });

  test('splits no earlier than it must', () => {
    const events = Array.from({ length: 10 }, () => new Uint8Array(96));
    expect(splitForFrames(events, 1 + 5 * 100).map((run) => run.length)).toEqual([5, 5]);
    expect(splitForFrames(events, 5 * 100).map((run) => run.length)).toEqual([4, 4, 2]);
  });

  test('fits the largest event exactly', () => {
    expect(encodeFrame([new Uint8Array(largestEvent(1_000))]).length).toBe(1_000);
  });
});
