import { internal, unavailable } from '@hearth/errors';
import { expect, test } from '@jest/globals';
import { explain } from './explain.ts';

const fromOutside = (message: string, code: string) => Object.assign(new Error(message), { code });

test('errors of the system and of servers are told in their words, once', () => {
  const full = fromOutside("EROFS: read-only file system, mkdir '/data'", 'EROFS');
  expect(explain(internal(`the folder cannot be written: ${full.message}`, full))).toBe(
    `the folder cannot be written: ${full.message}`,
  );
  const refused = fromOutside('password authentication failed for user "ada"', '28P01');
  expect(explain(internal('the database refuses the home', refused))).toBe(
    `the database refuses the home\n${refused.message}`,
  );
  expect(explain(unavailable('the port is taken', full))).toBe('the port is taken');
});

test('of a cause that the words tell already, no place is told', () => {
  const cause = internal('a sealed value cannot be opened');
  expect(explain(internal('the secrets cannot be opened', cause))).toBe(
    'the secrets cannot be opened\na sealed value cannot be opened',
  );
});

test('our own mistakes are told with the place where they were made', () => {
  const mistake = new TypeError('x is undefined');
  expect(explain(internal('it failed', mistake))).toBe(`it failed\n${mistake.stack}`);
  expect(explain(mistake)).toBe(mistake.stack);
  expect(explain('a text')).toBe('a text');
});
