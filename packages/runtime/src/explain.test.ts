import { internal, unavailable } from '@hearth/errors';
import { expect, test } from '@jest/globals';
import { explain } from './explain.ts';

const fromOutside = (message: string, code: string) => Object.assign(new Error(message), { code });

test('errors of the system and of servers are explained once, in their own words', () => {
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

test('a cause with an error of the home itself is reported without a stack', () => {
  const cause = internal('a sealed value cannot be opened');
  expect(explain(internal('the secrets cannot be opened', cause))).toBe(
    'the secrets cannot be opened\na sealed value cannot be opened',
  );
});

test('programming errors are reported with their location', () => {
  const mistake = new TypeError('x is undefined');
  expect(explain(internal('it failed', mistake))).toBe(`it failed\n${mistake.stack}`);
  expect(explain(mistake)).toBe(mistake.stack);
  expect(explain('a text')).toBe('a text');
});
