import { english } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { stanceGrid } from './stance-grid.ts';

const frame = { language: english, home: 'hearth.example', csrf: 'csrf-value' };
const wordsOf = (options: Parameters<typeof stanceGrid>[1]) =>
  stanceGrid(frame, options, 'Europe/Zurich')
    .in(english)
    .replace(/<[^>]*>/g, '');

test('an option that ends on another day says on which', () => {
  const until = (endsAt: string) => wordsOf([{ time: '2026-05-01T16:00:00Z', endsAt, people: [] }]);
  expect(until('2026-05-01T18:00:00Z')).toContain('to 20:00');
  expect(until('2026-05-03T10:00:00Z')).toContain('to Sun, 3 May 2026, 12:00');
});

test('a whole day and times on that day name the day once', () => {
  const times = ['2026-05-01T08:00:00Z', '2026-05-01T16:00:00Z', '2026-05-03'];
  const words = wordsOf(times.map((time) => ({ time, people: [] })));
  expect(words.match(/Sun, 3 May 2026/g)).toHaveLength(1);
});
