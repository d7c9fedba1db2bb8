import { describe, expect, test } from '@jest/globals';
import { oldKeysEndAt } from './key-rotation.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

describe('when old keys end', () => {
  test.each([
    ['routine', { leaked: false, keepOldMinutes: undefined }, 1, 60],
    ['routine at once', { leaked: false, keepOldMinutes: 0 }, 10, 0],
    ['routine after a day', { leaked: false, keepOldMinutes: 1_440 }, 9, 1_440],
    ['leaked', { leaked: true, keepOldMinutes: undefined }, 10, 0],
    ['leaked, as it says itself', { leaked: true, keepOldMinutes: 0 }, 10, 0],
  ])('%s', (_, request, liveKeys, minutes) => {
    expect(oldKeysEndAt(request, liveKeys, 1_440, now)).toEqual(inMinutes(minutes));
  });

  test('no later than the home allows', () => {
    const routine = { leaked: false, keepOldMinutes: undefined };
    expect(oldKeysEndAt(routine, 1, 30, now)).toEqual(inMinutes(30));
    expect(() => oldKeysEndAt({ ...routine, keepOldMinutes: 31 }, 1, 30, now)).toThrow(/at most 30/);
  });

  test.each([
    ['a leaked key that goes on', { leaked: true, keepOldMinutes: 1 }, 1, 'bad_field'],
    ['longer than a day', { leaked: false, keepOldMinutes: 1_441 }, 1, 'bad_field'],
    ['an eleventh key', { leaked: false, keepOldMinutes: undefined }, 10, 'cap_reached'],
  ])('refuses %s', (_, request, liveKeys, code) => {
    expect(() => oldKeysEndAt(request, liveKeys, 1_440, now)).toThrow(
      expect.objectContaining({
        kind: 'bad_request',
        details: expect.objectContaining({ code, field: 'keep_old_minutes' }),
      }),
    );
  });
});
