import { expect, test } from '@jest/globals';
import { allDelivered, judgeDelivered } from './delivered.ts';

const one = (about: string, id = `evt of ${about}`, data = about) => ({ about, id, data });

test('events delivered once are fine, and so are identical repeats', () => {
  expect(judgeDelivered(['a', 'b'], [one('a'), one('b'), one('a')])).toEqual(allDelivered);
});

test.each([
  ['lost', [one('a')], { lost: ['b'] }],
  ['never happened', [one('a'), one('b'), one('c')], { unexpected: ['c'] }],
  ['under two ids', [one('a'), one('b'), one('b', 'evt 2')], { twice: ['b'] }],
  ['changed on its way', [one('a'), one('b'), one('b', 'evt of b', 'B')], { changed: ['evt of b'] }],
])('detects: %s', (_, told, found) => {
  expect(judgeDelivered(['a', 'b'], told)).toEqual({ ...allDelivered, ...found });
});
