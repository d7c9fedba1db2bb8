import { expect, test } from '@jest/globals';
import {
  createLanguage,
  english,
  instant,
  listed,
  readText,
  storeTexts,
  type Text,
  t,
  verbatim,
} from './index.ts';

const german = createLanguage(
  'de',
  {
    'events.decision.started': '{by, select, none {Eine Entscheidung: {title}} other {{who} fragt: {title}}}',
    'calendar.with': 'Mit {name} ({address})',
    'rules.save': 'Speichern',
  },
  english,
);
const kept = (text: Text): unknown => JSON.parse(JSON.stringify(text));

test('a stored text is formatted for each reader', () => {
  const stored = kept(t('events.decision.started', { by: 'other', who: 'Ada', title: '{who} <b>' }));
  expect(stored).toEqual({
    key: 'events.decision.started',
    values: { by: 'other', who: 'Ada', title: '{who} <b>' },
  });
  const text = readText(stored, 'as it was');
  expect([english.words(text), german.words(text)]).toEqual([
    'Ada started a decision: {who} <b>',
    'Ada fragt: {who} <b>',
  ]);
});

test("values may be texts, lists and instants, shown in the reader's time zone", () => {
  const at = new Date(0);
  const stored = kept(
    t('calendar.with', { name: listed([t('rules.save'), 'B'], 'disjunction'), address: instant(at) }),
  );
  expect(english.words(readText(stored, ''))).toBe('With Save rules or B (1970-01-01T00:00:00.000Z)');
  const year = readText(stored, '', (moment) => `im Jahr ${moment.getFullYear()}`);
  expect(german.words(year)).toBe('Mit Speichern oder B (im Jahr 1970)');
});

test('words of others in it can be shown as a quotation', () => {
  const stored = kept(t('calendar.with', { name: verbatim('Ada'), address: '@ada' }));
  expect(english.words(readText(stored, ''))).toBe('With Ada (@ada)');
  const quoted = readText(stored, '', undefined, (words) => `“${words}”`);
  expect(german.words(quoted)).toBe('Mit “Ada” (@ada)');
});

test('without a message, or with one that no longer exists, it stays as written', () => {
  const gone = { key: 'events.gone', values: {} };
  const inside = {
    key: 'calendar.with',
    values: { name: { list: [gone], type: 'conjunction' }, address: 'x' },
  };
  for (const stored of [null, undefined, gone, inside]) expect(readText(stored, 'Ada did')).toBe('Ada did');
});

test('markup cannot be stored', () => {
  expect(() => kept(t('calendar.with', { name: { b: 1 }, address: '' }))).toThrow('markup cannot be stored');
});

test('texts of an event are in English, and those written by the home can be translated later', () => {
  const { wording, ...written } = storeTexts({
    title: t('events.decision.agreed', { title: 'Tea' }),
    body: 'As Ada wrote it',
  });
  expect(written).toEqual({ title: 'Agreed: Tea', body: 'As Ada wrote it' });
  expect(wording).toEqual({ title: { key: 'events.decision.agreed', values: { title: 'Tea' } } });
});
