import { describe, expect, test } from '@jest/globals';
import { kindOf, readers } from './kinds.ts';
import { maskNames } from './mask.ts';

const read = (kind: keyof typeof readers, text: string) =>
  readers[kind]('a', text).map((passage) => `${passage.line} ${passage.text}`);

test('a document yields its paragraphs, headings, items and cells, without code blocks and HTML comments', () => {
  const text = [
    '# A title',
    '',
    'A paragraph',
    'of two lines.',
    '<!-- generated:',
    'limits -->',
    '- An item',
    '  that goes on',
    '1. Another',
    '> A quote',
    '```sh',
    'npm run it',
    '```',
    '| Name | What `a|b` says |',
    '| --- | --- |',
    '| 12 | Words |',
  ];
  expect(read('document', text.join('\n'))).toEqual([
    '1 A title',
    '3 A paragraph\nof two lines.',
    '7 An item\nthat goes on',
    '9 Another\nA quote',
    '14 Name',
    '14 What `a¦b` says',
    '16 Words',
  ]);
});

test('a comment yields its paragraphs and tags, and comments for tools yield none', () => {
  const text = [
    '/**',
    ' * Sends it',
    ' * to all.',
    ' *',
    ' * - one kind',
    ' * @param item the thing to send',
    ' * @throws bad_field for none',
    ' */',
    'const a = "// no comment"; // Beside code.',
    '// biome-ignore lint: for tools',
  ];
  expect(read('comment', text.join('\n'))).toEqual([
    '2 Sends it\nto all.',
    '5 one kind',
    '6 the thing to send',
    '7 for none',
    '9 Beside code.',
  ]);
});

test('a message is rendered once for each of its choices', () => {
  const text = JSON.stringify(
    {
      sent: '{name} sent <link>{count, plural, one {# letter} other {# letters}}</link>',
      day: '{weekday} {date}',
      kind: '{kind, select, a {Yes} b {No} other {Perhaps}}',
    },
    null,
    2,
  );
  expect(read('catalogue', text)).toEqual([
    '2 Robin sent 1 letter',
    '2 Robin sent 3 letters',
    '3 Robin',
    '4 Yes',
    '4 No',
    '4 Perhaps',
  ]);
});

test('the path decides the kind of a file', () => {
  expect(
    [
      'README.md',
      'docs/a/b.md',
      'services/groups/README.md',
      'packages/i18n/catalogues/en/groups.json',
      'packages/i18n/catalogues/de/groups.json',
      'proto/hearth/options.proto',
      'web/src/html.ts',
    ].map(kindOf),
  ).toEqual(['document', 'document', 'document', 'catalogue', null, 'comment', 'comment']);
});

describe('a masked name keeps its length', () => {
  test.each([
    'sendItem',
    'bad_field',
    'services/groups/src',
    '@ada.ai-robin',
    '&book-club',
    '--only',
    'https://a.example/b',
    '{@link createHome}',
    'GRPC',
    'sha256',
    'uuids',
  ])('%s', (name) => {
    expect(maskNames(`Takes ${name} of it`)).toBe(`Takes \`${'x'.repeat(name.length - 2)}\` of it`);
  });

  test('words and code are not names', () => {
    const text = 'An AI of Ada, its well-known home and `this_code`: yes.';
    expect(maskNames(text)).toBe(text);
  });
});
