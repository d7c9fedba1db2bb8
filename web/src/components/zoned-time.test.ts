import { createLanguage, english } from '@hearth/i18n';
import { describe, expect, test } from '@jest/globals';
import type { Frame, Viewer } from '../frame.ts';
import { homeWords } from './home-words.ts';
import { day, moment } from './time.ts';
import { zonedTime } from './zoned-time.ts';

const at = '2026-12-12T17:00:00Z';
const person: Viewer = { name: 'Ben' };

const frameOf = (zone?: string, more?: Partial<Viewer>): Frame => ({
  language: english,
  ...{ home: 'hearth.example', csrf: '' },
  ...(zone !== undefined && { zone }),
  ...(more !== undefined && { person: { ...person, ...more } }),
});
const wordsOf = (frame: Frame, zone?: string) =>
  (zone === undefined ? moment(frame, Date.parse(at)) : zonedTime(frame, at, zone))
    .in(english)
    .replace(/<[^>]*>/g, '');

describe('a time', () => {
  test.each<[string, Frame, string]>([
    ['chosen by the reader', frameOf('Asia/Tokyo', { timeZone: 'Europe/London' }), 'Sat, 12 Dec 2026, 17:00'],
    ['of the browser, for the signed-out', frameOf('Asia/Tokyo'), 'Sun, 13 Dec 2026, 02:00'],
    [
      "of the browser, before the home's",
      frameOf('Asia/Tokyo', { timeZone: 'Europe/Zurich', zoneAssumed: true }),
      'Sun, 13 Dec 2026, 02:00',
    ],
    [
      "of the home, named, where the browser's is not known",
      frameOf(undefined, { timeZone: 'Europe/Zurich', zoneAssumed: true }),
      'Sat, 12 Dec 2026, 18:00 Zurich time',
    ],
    ['UTC, named, where none is known', frameOf(), 'Sat, 12 Dec 2026, 17:00 UTC'],
    [
      'UTC, named, where the one given is none',
      frameOf(undefined, { timeZone: 'Mars/Olympus' }),
      'Sat, 12 Dec 2026, 17:00 UTC',
    ],
    [
      'of the browser, where the one given is none',
      frameOf('Asia/Tokyo', { timeZone: 'Mars/Olympus' }),
      'Sun, 13 Dec 2026, 02:00',
    ],
  ])('is shown in the zone %s', (_, frame, words) => {
    expect(wordsOf(frame)).toBe(words);
  });

  test('is in the language of its reader', () => {
    const german = createLanguage('de', {
      'calendar.zone': '{isPlace, select, yes {Zeit in {zone}} other {{zone}}}',
    });
    const shown = zonedTime(frameOf('America/New_York'), at, 'Europe/Zurich').in(german);
    expect(shown.replace(/<[^>]*>/g, '')).toBe('Sa., 12. Dez. 2026, 12:00 (18:00 Zeit in Zurich)');
  });

  test('with only its day is left to the browser if no zone is known', () => {
    const shown = (frame: Frame) => day(frame, Date.parse(at)).in(english);
    expect(shown(frameOf())).toContain(' data-local="day"');
    expect(shown(frameOf('Asia/Tokyo'))).toBe(
      '<time datetime="2026-12-12T17:00:00.000Z">Sun, 13 Dec 2026</time>',
    );
    expect(shown(frameOf(undefined, { timeZone: 'Europe/London' }))).not.toContain('data-local');
  });

  test('in a sentence by the home is shown like any other', () => {
    const said = 'This account is suspended until 2026-12-12T17:00:00.000Z: <b>spam</b>.';
    const words = (frame: Frame) =>
      homeWords(frame, said)
        .in(english)
        .replace(/<[^>]*>/g, '');
    expect(words(frameOf('Asia/Tokyo'))).toBe(
      'This account is suspended until Sun, 13 Dec 2026, 02:00: &#60;b&#62;spam&#60;/b&#62;.',
    );
    expect(words(frameOf())).toContain('until Sat, 12 Dec 2026, 17:00 UTC:');
  });

  test('is followed by the time in its own zone, if that differs', () => {
    expect(wordsOf(frameOf('America/New_York'), 'Europe/Zurich')).toBe(
      'Sat, 12 Dec 2026, 12:00 (18:00 Zurich time)',
    );
    expect(wordsOf(frameOf('Asia/Tokyo'), 'Europe/Zurich')).toBe(
      'Sun, 13 Dec 2026, 02:00 (Sat, 12 Dec 2026, 18:00 Zurich time)',
    );
    expect(wordsOf(frameOf('Europe/Paris'), 'Europe/Zurich')).toBe('Sat, 12 Dec 2026, 18:00');
  });

  test('with an unknown reader is shown in its own zone', () => {
    expect(wordsOf(frameOf(), 'Europe/Zurich')).toBe('Sat, 12 Dec 2026, 18:00 Zurich time');
  });
});
