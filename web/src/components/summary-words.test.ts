import { createLanguage, english } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import type { Frame } from '../frame.ts';
import { html } from '../html.ts';
import { summaryWords } from './summary-words.ts';

const german = createLanguage(
  'de',
  { 'decisions.summary-bring': 'mitzubringen: {things}', 'decisions.summary-parts': '{line} · {part}' },
  english,
);
const frame: Frame = { language: german, home: 'hearth.example', csrf: '', zone: 'Europe/Zurich' };
const content = {
  answers: [{ time: '2027-05-03T16:00:00Z' }, { words: '<Pizza>' }],
  bring: ['Wine', 'Salad'],
};
const written = 'Mon, 3 May 2027, 18:00; <Pizza>; to bring: Wine, Salad';

const shown = (summary: string, of: typeof content | undefined = content, zone = 'Europe/Zurich') =>
  html`${summaryWords(frame, summary, of, zone)}`
    .in(german)
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#60;', '<')
    .replaceAll('&#62;', '>');

test('a summary made from the content is in the language of its reader', () => {
  expect(shown(written)).toBe('Mo., 3. Mai 2027, 18:00 · <Pizza> · mitzubringen: Wine, Salad');
  expect(shown('Pizza', { answers: [{ words: 'Pizza' }], bring: [] })).toBe('Pizza');
});

test('any other summary stays as its author wrote it', () => {
  expect(shown('Pizza on Monday')).toBe('Pizza on Monday');
  expect(shown(`${written}, Beer`)).toBe(`${written}, Beer`);
  // The time of a record that is not in its zone.
  expect(shown(written, content, 'Asia/Tokyo')).toBe(written);
  expect(shown('', { answers: [], bring: [] })).toBe('(empty)');
});
