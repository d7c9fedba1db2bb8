import { describe, expect, test } from '@jest/globals';
import { instantOf } from './instant.ts';
import { isListedFor, keyProblemAt, type ListedKey } from './key-validity.ts';
import { recordTypes } from './record-types.ts';
import { keys } from './test-records.ts';

const noon = '2026-01-02T12:00:00Z';
const before = '2026-01-02T11:59:59.999999999Z';
const after = '2026-01-02T12:00:00.000000001Z';

describe('a key at noon', () => {
  test.each<[string, Partial<ListedKey>, string | null]>([
    ['from before', { not_before: before }, null],
    ['from noon itself', { not_before: noon }, null],
    ['from after', { not_before: after }, 'not valid yet'],
    ['from no known time', { not_before: null }, 'without a time'],
    ['from a time that is none', { not_before: 'soon' }, 'cannot be read'],
    ['until after', { not_after: after }, null],
    ['until noon itself', { not_after: noon }, 'not valid any more'],
    ['until before', { not_after: before }, 'not valid any more'],
    ['with times that are null', { not_after: null, revoked_at: null }, null],
    ['until a time that is none', { not_after: 'soon' }, 'cannot be read'],
    ['next, whatever its times say', { status: 'next', not_before: before }, 'signs nothing yet'],
    ['without a status', { status: undefined }, 'signs nothing yet'],
    ['retired after', { status: 'retired', not_after: after }, null],
    ['retired before', { status: 'retired', not_after: before }, 'not valid any more'],
    ['retired at no known time', { status: 'retired' }, 'its end is not listed'],
    ['revoked after', { status: 'revoked', revoked_at: after }, 'was revoked'],
    ['revoked at no known time', { status: 'revoked' }, 'was revoked'],
    ['revoked without the status', { status: 'active', revoked_at: after }, 'was revoked'],
  ])('%s', (_name, listed, words) => {
    const problem = keyProblemAt({ ...keys[0]!, not_before: before, ...listed }, instantOf(noon)!);
    if (words === null) expect(problem).toBeNull();
    else expect(problem?.words).toContain(words);
  });
});

test.each<[string[] | undefined, string[]]>([
  [['record', 'request'], [...recordTypes]],
  [['recovery'], ['svc-home+jws']],
  [['request'], []],
  [[], []],
  [undefined, []],
])('a key for %j vouches for %j', (uses, types) => {
  const listed = { ...keys[0]!, uses };
  expect(recordTypes.filter((typ) => isListedFor(listed, typ))).toEqual(types);
});
