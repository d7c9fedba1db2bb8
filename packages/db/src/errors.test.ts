import { notFound } from '@hearth/errors';
import { expect, test } from '@jest/globals';
import { asDatabaseError, isRetryable, losesConnection } from './errors.ts';

const failed = (code: string, message = 'words of the driver', more = {}) =>
  Object.assign(new Error(message), { code, ...more });
const withoutCode = (message: string) => new Error(message);

test.each([
  ['refused connection', failed('ECONNREFUSED'), 'cannot be reached', true],
  [
    'every address refused',
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    'cannot be reached',
    true,
  ],
  ['reset connection', failed('ECONNRESET'), 'cannot be reached', true],
  ['unknown host', failed('ENOTFOUND'), 'cannot be reached', true],
  [
    'connection closed by the server',
    withoutCode('Connection terminated unexpectedly'),
    'cannot be reached',
    true,
  ],
  ['no answer', withoutCode('Query read timeout'), 'cannot be reached', true],
  ['no free connection', withoutCode('timeout exceeded when trying to connect'), 'cannot be reached', true],
  ['shutdown', failed('57P01'), 'cannot be reached', true],
  ['crash of another backend', failed('57P02'), 'cannot be reached', true],
  ['starting up', failed('57P03'), 'cannot be reached', true],
  ['protocol broken', failed('08P01'), 'cannot be reached', true],
  ['too many connections', failed('53300'), 'cannot be reached', true],
  ['a standby after a failover', failed('25006'), 'is a read-only replica', true],
  ['full disk', failed('53100'), 'disk is full', false],
  ['statement timeout', failed('57014'), 'took too long', false],
  ['lock timeout', failed('55P03'), 'took too long', false],
  ['deadlock', failed('40P01'), 'busy', false],
  ['serialization failure', failed('40001'), 'busy', false],
  [
    'stale plan',
    failed('0A000', 'Der zwischengespeicherte Plan darf den Ergebnistyp nicht ändern', {
      routine: 'RevalidateCachedQuery',
    }),
    'busy',
    true,
  ],
])('%s is unavailable, with a message for the caller', (_, error, words, lost) => {
  const mapped = asDatabaseError(error);
  expect(mapped.kind).toBe('unavailable');
  expect(mapped.message).toContain(words);
  expect(mapped.message).not.toContain('words of the driver');
  expect(mapped.cause).toBe(error);
  expect(losesConnection(mapped)).toBe(lost);
});

test.each(['28P01', '28000', '3D000'])('%s, which only the operator can mend, is internal', (code) => {
  expect(asDatabaseError(failed(code))).toMatchObject({
    kind: 'internal',
    message: expect.stringContaining('DATABASE_URL'),
  });
});

test.each([
  ['42601', false],
  ['23505', false],
  ['0A000', false],
  ['40001', true],
  ['40P01', true],
  ['57P01', false],
])('%s is retried: %p', (code, again) => {
  expect(isRetryable(failed(code))).toBe(again);
  expect(isRetryable(asDatabaseError(failed(code)))).toBe(again);
});

test('values that Postgres quotes are never logged', () => {
  const message = 'invalid input syntax for type uuid: "what "$&" people\nwrote"';
  const error = Object.assign(failed('22P02', message), { detail: 'Key (text)=(what people wrote)' });
  const mapped = asDatabaseError(error, 'insert');
  expect(mapped.message).toBe('the statement insert failed: invalid input syntax for type uuid: "..."');
  for (const told of [error.message, error.stack, error.detail, mapped.stack]) {
    expect(told ?? '').not.toMatch(/people|wrote/);
  }
  expect(error.stack).toContain('errors.test.ts');
  expect(asDatabaseError(failed('42P01', 'relation "threads" does not exist')).message).toContain(
    '"threads"',
  );
});

test('an error from elsewhere than the database is unchanged', () => {
  const refusal = notFound();
  expect(asDatabaseError(refusal)).toBe(refusal);
  for (const odd of [null, undefined, 'text', 7, {}]) {
    expect(asDatabaseError(odd).kind).toBe('internal');
    expect(losesConnection(odd)).toBe(false);
  }
});
