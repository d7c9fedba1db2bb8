import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { requireStanding, standingOf } from './standing.ts';

const child = { id: 'child', guardians: ['one', 'two'], app: 'app', ageBand: AgeBand.CHILD };
const by = (kind: CallerKind, id: string) => ({ kind, id });

test.each([
  [CallerKind.PERSON, 'child', 'self'],
  [CallerKind.PERSON, 'one', 'guardian'],
  [CallerKind.PERSON, 'two', 'guardian'],
  [CallerKind.APP, 'app', 'holder'],
  [CallerKind.PERSON, 'app', null],
  [CallerKind.PERSON, 'three', null],
  [CallerKind.APP, 'other', null],
  [CallerKind.APP, 'child', null],
  [CallerKind.AI, 'child', null],
  [CallerKind.AI, 'one', null],
  [CallerKind.OPERATOR, '', null],
  [CallerKind.ANONYMOUS, '', null],
])('kind %i, %s: %s', (kind, id, standing) => {
  expect(standingOf(by(kind, id), child)).toBe(standing);
});

test('an unknown app holds nobody', () => {
  expect(standingOf(by(CallerKind.APP, ''), { ...child, app: '' })).toBeNull();
});

describe('a required standing', () => {
  const require = (
    caller: ReturnType<typeof by>,
    allowed: ('self' | 'guardian' | 'holder')[],
    person = child,
  ) => requireStanding(caller, person, allowed, 'not yours');

  test('is returned, or refused with the message', () => {
    expect(require(by(CallerKind.PERSON, 'one'), ['guardian'])).toBe('guardian');
    expect(() => require(by(CallerKind.PERSON, 'one'), ['self', 'holder'])).toThrow('not yours');
    expect(() => require(by(CallerKind.PERSON, 'three'), ['self', 'guardian', 'holder'])).toThrow(
      'not yours',
    );
  });
});
