import { english } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { knownZone } from './components/zoned-time.ts';
import { timeZoneGroups, timeZoneGroupsWith } from './time-zones.ts';

test('places have their current names, in order, and the stored zone is selected', () => {
  const asia = timeZoneGroups.find(({ label }) => english.words(label) === 'Asia')?.choices ?? [];
  const words = asia.map((choice) => english.words(choice.words));
  expect(words).toEqual(expect.arrayContaining(['Kolkata', 'Ho Chi Minh City', 'Tokyo']));
  expect(words).not.toContain('Calcutta');
  expect(words).toEqual([...words].sort());
  for (const { value } of asia)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: value })).not.toThrow();
});

const valuesOf = (groups: typeof timeZoneGroups) =>
  groups.flatMap(({ choices }) => choices.map(({ value }) => value));

test('zones have their current names, each once', () => {
  const values = valuesOf(timeZoneGroups);
  expect(values).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Ho_Chi_Minh', 'UTC']));
  expect(new Set(values).size).toBe(values.length);
  for (const timeZone of values) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
});

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Europe/Zurich', 'Europe/Zurich'],
  ['Mars/Phobos', 'UTC'],
])('times of %s are shown beside the name of today, %s', (zone, shown) => {
  expect(knownZone(zone)).toBe(shown);
  expect(() => new Intl.DateTimeFormat('en', { timeZone: knownZone(zone) })).not.toThrow();
});

test.each(['Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'Etc/GMT+3', 'EST', 'UTC', 'Europe/Berlin'])(
  'whoever has %s finds it in the list, once',
  (zone) => {
    const groups = timeZoneGroupsWith(zone);
    expect(valuesOf(groups).filter((value) => value === zone)).toHaveLength(1);
    const words = groups.flatMap(({ label, choices }) =>
      choices.map((choice) => `${english.words(label)}/${english.words(choice.words)}`),
    );
    expect(new Set(words).size).toBe(words.length);
  },
);

test('an empty zone is never offered', () => {
  expect(valuesOf(timeZoneGroupsWith(''))).not.toContain('');
});
