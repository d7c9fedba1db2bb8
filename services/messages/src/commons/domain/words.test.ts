import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasBeginning, toQueries, toVector } from './words.ts';

test.each([
  ['Trains in Italy', "'trains':1 'in':3 'italy':5"],
  ['CAFÉ, Straße!', "'cafe':1 'straße':3"],
  ['東京から', "'東京':1 '京か':2 'から':3 'ら':4"],
  ['', ''],
])('the search vector of "%s"', (text, vector) => {
  expect(toVector([text], [])).toBe(vector);
});

test('a tag is found as words and as a tag', () => {
  expect(toVector([], ['night-trains'])).toBe("'night':1 'trains':3 '#night-trains'");
});

test.each([
  ['italy trains', "('italy') & ('trains')"],
  ['"night trains"', "('night' <2> 'trains')"],
  ['tra*', "('tra':*)"],
  ['night-trains', "('night' <2> 'trains')"],
  ['東京', "('東京')"],
  ['東京タワー', "('東京' <1> '京タ' <1> 'タワ' <1> 'ワー')"],
  ['京', "('京':*)"],
  ["'; drop table x; --", "('drop') & ('table') & ('x')"],
  ['!!', ''],
  ['* " "', ''],
])('the search query %s', (text, query) => {
  expect(toQueries(text).join(' & ')).toBe(query);
  expect(toQueries(text).some(hasBeginning)).toBe(query.includes('*'));
});

test('no text makes a vector or a query that Postgres could misread', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(
        toVector([text], [])
          .replaceAll(/'[\p{L}\p{N}\p{M}_]+':[\d,]+/gu, '')
          .trim(),
      ).toBe('');
      const query = toQueries(text).join(' & ');
      expect(query.replaceAll(/'[\p{L}\p{N}\p{M}_]+'(?::\*)?/gu, '').replaceAll(/[()& <\d>]/g, '')).toBe('');
    }),
  );
});
