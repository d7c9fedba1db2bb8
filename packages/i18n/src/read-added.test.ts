import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readAdded } from './read-added.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-catalogues-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

function mistakesIn(account: object): string[] {
  write('de/account.json', account);
  return readAdded(folder).mistakes.map(({ problem, expected }) => `${problem}; expected ${expected}`);
}

test('a folder of a language has its messages, also in part', () => {
  write('de/account.json', { title: 'Ihr Konto', held: 'Verwaltet von' });
  write('pt_br/rules.json', { cap: 'Limite por semana' });
  write('de/notes.txt', 'by Ada');
  write('README.md', 'Our translations');
  write('..data/account.json', 'not a language');
  const { catalogues, mistakes } = readAdded(folder);
  expect(mistakes).toEqual([]);
  expect([...catalogues]).toEqual([
    ['de', { 'account.title': 'Ihr Konto', 'account.held': 'Verwaltet von' }],
    ['pt-BR', { 'rules.cap': 'Limite por semana' }],
  ]);
});

test('placeholders may be reordered and pluralized differently', () => {
  const account = {
    'handle-hint': 'Alle {days} Tage. Die alte Adresse bleibt {old, plural, =1 {einen Tag} other {# Tage}}.',
    'family-waits':
      '{count, plural, one {<link>Eine Anfrage</link>} few {<link># Anfragen</link>} other {<link>#</link>}}',
    'held-by': '{app}. {end, select, yes {<leave>Beenden</leave>} other {<add>Anmeldung</add>}}',
  };
  expect(mistakesIn(account)).toEqual([]);
});

test.each([
  [
    { titel: 'Ihr Konto' },
    '"titel" is no key; expected a key of the English account.json; did you mean "title"?',
  ],
  [{ 'something-else': 'x' }, '"something-else" is no key; expected a key of the English account.json'],
  [{ title: '' }, '"title" has no text; expected a text, or no such key'],
  [{ title: ['x'] }, '"title" has no text'],
  [
    { 'app-leave-more': 'Die App' },
    '"app-leave-more" lacks {app}; expected a message like the English “{app} holds',
  ],
  [
    { passkey: 'Erstellt {Tag}' },
    '"passkey" lacks {day}; expected a message like the English “Passkey, created {day}”',
  ],
  [{ passkey: 'Erstellt {day} {time}' }, '"passkey" has {time}, which has no value'],
  [{ 'family-waits': '{count, plural, other {#}}' }, '"family-waits" lacks <link>'],
  [{ 'family-waits': '{count} {link}' }, '"family-waits" uses {link} as a value instead of a tag'],
  [{ passkey: '{day, number}' }, '"passkey" uses {day} as a number instead of a value'],
  [
    { 'guardian-sees': '{count} {ais, select, ja {x} other {y}}' },
    '"guardian-sees" has the option “ja” of {ais}, which is never chosen',
  ],
  [
    { passkey: 'Erstellt {day' },
    '"passkey" is no ICU message (EXPECT_ARGUMENT_CLOSING_BRACE); expected a message like',
  ],
])('%j is a mistake', (account, words) => {
  expect(mistakesIn(account)).toEqual([
    expect.stringContaining(`has a mistake in de/account.json: ${words}`),
  ]);
});

test('mistakes in names and files are reported together', () => {
  write('German/account.json', {});
  write('fr/acount.json', {});
  write('DE/account.json', {});
  write('de/account.json', {});
  write('fr/account.json', '{"title": "Compte",}');
  write('fr/rules.json', '[]');
  const problems = readAdded(folder).mistakes.map(({ problem }) => problem);
  expect(problems).toEqual([
    'has the folder German',
    'has two folders for de',
    expect.stringMatching(/^has a mistake in fr\/account\.json: .*JSON/),
    'has the file fr/acount.json',
    'has a mistake in fr/rules.json: no object',
  ]);
});
