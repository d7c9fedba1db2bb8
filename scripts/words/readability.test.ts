import { describe, expect, test } from '@jest/globals';
import { hardWordsIn, longMedian } from './readability.ts';

const found = (kind: 'document' | 'comment', text: string) =>
  hardWordsIn({ path: 'a', line: 5, text }, kind).map(({ line, rule }) => `${line} ${rule}`);
const words = (count: number) => `A${' word'.repeat(count - 1)}.`;

describe('a sentence is refused', () => {
  test.each([
    ['document', 'It shall be so.', ['5 shall']],
    ['document', 'A person\nwhom you know.', ['6 whom']],
    ['document', 'Like those of others.', ['5 those of']],
    ['document', `Short.\n${words(41)}`, ['6 long sentence']],
    ['comment', 'A person whom you know.', ['5 whom']],
    ['comment', 'Who may call.', ['5 beginning']],
    ['comment', 'Sends it. Of two, the\nlater.', ['5 beginning']],
    ['comment', 'Sends it\nto somebody.', ['6 nameless']],
  ] as const)('%s: %j', (kind, text, rules) => {
    expect(found(kind, text)).toEqual(rules);
  });
});

describe('a sentence is allowed', () => {
  test.each([
    ['document', 'Use `shall` in [code](whom.md).'],
    ['document', words(40)],
    ['document', `${words(30)} ${words(30)}`],
    ['document', Array.from({ length: 60 }, () => '`name`').join(' ')],
    ['comment', 'The caller, whose word counts.\nOften.'],
    ['comment', 'Runs as `nobody`.'],
  ] as const)('%s: %j', (kind, text) => {
    expect(found(kind, text)).toEqual([]);
  });
});

test('half of a document’s sentences must be short', () => {
  const document = (count: number, length: number) =>
    longMedian('a', [
      { path: 'a', line: 1, text: Array.from({ length: count }, () => words(length)).join(' ') },
    ]);
  expect(document(30, 17).map(({ rule }) => rule)).toEqual(['long sentences']);
  expect(document(30, 16)).toEqual([]);
  expect(document(10, 17)).toEqual([]);
});
