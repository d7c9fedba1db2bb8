import { createLanguage, english } from '@hearth/i18n';
import { describe, expect, test } from '@jest/globals';
import ical, { type VEvent } from 'node-ical';
import {
  type CalendarEvent,
  calendarFile,
  instantOf,
  isDay,
  momentFor,
  momentIn,
  nextDay,
  readInstant,
  timeIn,
} from './index.ts';

const event: CalendarEvent = {
  uid: '7@hearth.example',
  sequence: 2,
  title: 'Dinner, at last; with Ann',
  details: `First line\nsecond \\ line ${'long '.repeat(40)}`.trim(),
  place: 'Here 🏡',
  starts: '2027-05-03T16:00:00Z',
  ends: null,
  at: Date.parse('2027-01-15T08:00:00Z'),
  link: 'https://hearth.example/d/7',
};

/** As another library reads it. */
function read(changes: Partial<CalendarEvent>): VEvent {
  const parsed = ical.sync.parseICS(calendarFile({ ...event, ...changes }));
  return Object.values(parsed).find(
    (component): component is VEvent => component?.type === 'VEVENT',
  ) as VEvent;
}

describe('a calendar file', () => {
  test('parses to the same values in another library', () => {
    const { uid, summary, description, location, url, sequence, status, start, end } = read({});
    expect({ uid, summary, description, location, status }).toEqual({
      uid: event.uid,
      summary: event.title,
      description: event.details,
      location: event.place,
      status: 'CONFIRMED',
    });
    expect([String(url), Number(sequence)]).toEqual([event.link, 2]);
    expect([start.toISOString(), end?.toISOString()]).toEqual([
      '2027-05-03T16:00:00.000Z',
      '2027-05-03T17:00:00.000Z',
    ]);
  });

  test('writes a whole day as a date that ends on the next one', () => {
    const lines = calendarFile({ ...event, starts: '2027-12-31' }).split('\r\n');
    expect(lines).toContain('DTSTART;VALUE=DATE:20271231');
    expect(lines).toContain('DTEND;VALUE=DATE:20280101');
  });

  test('keeps its lines within 75 bytes', () => {
    for (const line of calendarFile(event).split('\r\n'))
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(76);
  });
});

describe('a local time', () => {
  test.each([
    ['2027-05-03T18:00', 'Europe/Zurich', '2027-05-03T16:00:00Z'],
    ['2027-12-03T18:00', 'Europe/Zurich', '2027-12-03T17:00:00Z'],
    ['2027-05-03T18:00:30', 'UTC', '2027-05-03T18:00:30Z'],
    ['2027-05-03 18:00', 'UTC', '2027-05-03T18:00:00Z'],
    [' 2027-05-03t18:00 ', 'UTC', '2027-05-03T18:00:00Z'],
    ['２０２７-05-03T18:00', 'UTC', '2027-05-03T18:00:00Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(instantOf(text, zone, 'options[0]')).toBe(instant);
  });

  test.each([
    ['skip', '2027-03-28T02:30', ['2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z']],
    ['twice', '2027-10-31T02:30', ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z']],
  ])('a local time that the clocks %s is refused with its readings', (word, text, readings) => {
    let thrown: unknown;
    try {
      instantOf(text, 'Europe/Zurich', 'options[0]');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({
      message: expect.stringContaining(word),
      details: { code: 'ambiguous_time', field: 'options[0]', readings },
    });
  });

  test.each(['', 'tomorrow', '2027-02-30T10:00', '2027-05-03T24:00', '2027-05-03T18:00Z'])(
    '%j is not a local time',
    (text) => {
      expect(() => instantOf(text, 'UTC', 'x')).toThrow(/^x: must be a local time .* an instant/);
    },
  );
});

test('days and instants', () => {
  expect([isDay('2028-02-29'), isDay('2027-02-29'), isDay('2027-2-9')]).toEqual([true, false, false]);
  expect(nextDay('2028-02-28')).toBe('2028-02-29');
  expect(readInstant('2027-05-03T18:00:00+02:00')).toBe('2027-05-03T16:00:00Z');
  expect(readInstant('2027-05-03T18:00')).toBeNull();
});

test('a time is an instant in its zone, or a day', () => {
  const german = createLanguage('de', {});
  const words = (time: string, zone: string | null) =>
    [english, german].map(({ words }) => words(timeIn(time, zone)));
  const summer = '2027-05-03T16:00:00Z';
  expect(words(summer, 'Europe/Zurich')).toEqual(['Mon, 3 May 2027, 18:00', 'Mo., 3. Mai 2027, 18:00']);
  expect(words(summer, null)[0]).toBe('Mon, 3 May 2027, 16:00');
  expect(words('2027-05-03', 'America/New_York')).toEqual(['Mon, 3 May 2027', 'Mo., 3. Mai 2027']);
});

test('a moment is formatted in the language of its reader', () => {
  const at = new Date('2027-05-03T16:00:00Z');
  const words = (readers: string, language = english) =>
    language.words(momentFor(at, readers, 'Europe/Berlin'));
  expect(words('Europe/Zurich')).toBe('Mon, 3 May 2027, 18:00 Zurich time');
  expect(words('Asia/Tokyo')).toBe('Tue, 4 May 2027, 01:00 Tokyo time (Mon, 3 May 2027, 18:00 Berlin time)');
  expect(english.words(momentIn(at, 'Etc/UTC'))).toBe('Mon, 3 May 2027, 16:00 UTC');
  const german = createLanguage('de', { 'calendar.moment': '{time} ({zone})' });
  expect(words('Europe/Zurich', german)).toBe('Mo., 3. Mai 2027, 18:00 (Zurich)');
});
