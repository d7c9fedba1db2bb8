import { expect, test } from '@jest/globals';
import { readableLine } from './readable-stream.ts';

const line = (fields: object) =>
  readableLine(
    JSON.stringify({ time: '2026-01-02T03:04:05.678Z', level: 'warn', service: 'home', ...fields }),
  );

test('a line is formatted for people', () => {
  expect(line({ msg: 'words', port: 80, name: 'two words', word: 'word' })).toBe(
    '03:04:05 warn  home  words  port=80  name="two words"  word=word\n',
  );
});

test('the stack of an error follows its line', () => {
  expect(line({ msg: 'words', err: { message: 'no', stack: 'Error: no\n    at here' } })).toBe(
    '03:04:05 warn  home  words\n    Error: no\n        at here\n',
  );
});

test.each([
  ['a colour', '\u001b[31mred', '\\u001b[31mred'],
  ['a control sequence in one character', '\u009b2J', '\\u009b2J'],
  ['a second line', 'one\n03:04:05 error home  two', 'one\\u000a03:04:05 error home  two'],
  ['a return', 'one\rtwo', 'one\\u000dtwo'],
  ['the other direction', 'a\u202eb', 'a\\u202eb'],
])('%s is escaped', (_, text, shown) => {
  expect(line({ msg: text })).toBe(`03:04:05 warn  home  ${shown}\n`);
  for (const output of [line({ msg: 'x', field: text }), line({ msg: 'x', err: { message: text } })]) {
    expect(output).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
  expect(line({ msg: 'x', field: text }).trimEnd()).not.toContain('\n');
});
