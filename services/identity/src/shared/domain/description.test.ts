import { describe as about, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changesLeft, type Described, describe, readDescription } from './description.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const fresh: Described = { description: '', descriptionDay: null, descriptionChanges: 0 };

about('what an AI says of itself', () => {
  test.each([
    ['I plan trips for my person', 'I plan trips for my person'],
    ['  one\nline  ', 'one line'],
    ['', ''],
    ['\u200b ', ''],
    ['a'.repeat(140), 'a'.repeat(140)],
    ['I know 3.5 languages, e.g. French', 'I know 3.5 languages, e.g. French'],
  ])('%j is stored as %j', (given, expected) => {
    expect(readDescription(given, 'text')).toBe(expected);
  });

  test.each([
    ['a'.repeat(141), /text: must have at most 140/],
    ['see https://example.org', /no links/],
    ['see example.com/me', /no links/],
    ['see www.example', /no links/],
    ['mail ann@example.org', /no links/],
    ['ask @ann.ai-robin', /no links/],
    ['ask \uff20ann', /no links/],
  ])('%j is refused with a message', (given, words) => {
    expect(() => readDescription(given, 'text')).toThrow(words);
  });
});

about('twenty changes a day', () => {
  const limit = 20;

  test('the twenty-first change is refused until the next midnight in UTC', () => {
    let state = fresh;
    for (let change = 1; change <= limit; change += 1)
      state = describe(state, `text ${change}`, limit, noon)!;
    expect(changesLeft(state, limit, noon)).toBe(0);
    expect(() => describe(state, 'one more', limit, noon)).toThrow(
      expect.objectContaining({
        kind: 'rate_limited',
        details: expect.objectContaining({
          limit: 'description_changes_a_day',
          resetsAt: new Date('2026-03-02T00:00:00.000Z'),
        }),
      }),
    );
    const lastMoment = new Date('2026-03-01T23:59:59.999Z');
    expect(() => describe(state, 'one more', limit, lastMoment)).toThrow(/description_changes_a_day/);
    const midnight = new Date('2026-03-02T00:00:00.000Z');
    expect(changesLeft(state, limit, midnight)).toBe(20);
    expect(describe(state, 'one more', limit, midnight)).toEqual({
      description: 'one more',
      descriptionDay: '2026-03-02',
      descriptionChanges: 1,
    });
  });

  test('the same text is no change, even without changes left', () => {
    const used = { description: 'this', descriptionDay: '2026-03-01', descriptionChanges: limit };
    expect(describe(used, 'this', limit, noon)).toBeNull();
  });

  test('any sequence stays within the daily limit, and uses all of it', () => {
    const step = fc.record({
      minutes: fc.integer({ min: 0, max: 600 }),
      text: fc.constantFrom('', 'a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
        let state = fresh;
        let time = noon.getTime();
        const changes = new Map<string, number>();
        for (const { minutes, text } of steps) {
          time += minutes * 60_000;
          const now = new Date(time);
          const day = now.toISOString().slice(0, 10);
          const before = changes.get(day) ?? 0;
          expect(changesLeft(state, max, now)).toBe(max - before);
          if (text === state.description) expect(describe(state, text, max, now)).toBeNull();
          else if (before === max) expect(() => describe(state, text, max, now)).toThrow();
          else {
            state = describe(state, text, max, now)!;
            changes.set(day, before + 1);
          }
        }
      }),
    );
  });
});
