import { create } from '@bufbuild/protobuf';
import { isHandle, isReservedHandle } from '@hearth/addresses';
import { cursorOf } from '@hearth/paging';
import { GroupSettingsSchema, JoinReview, Minors, Plans } from '@hearth/proto/groups/v1/groups';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chooseNamed } from './choose-named.ts';
import { isArchived } from './ended.ts';
import { handleFor, numberedHandle } from './handle.ts';
import { restoreRefusal } from './restore.ts';
import { settle, toSettings, usualSettings } from './settings.ts';

describe('a handle derived from a name', () => {
  test('is always available, with a number too', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 80 }),
        fc.integer({ min: 2, max: 999_999 }),
        (name, number) => {
          const handle = handleFor(name);
          expect([isHandle(handle), isReservedHandle(handle)]).toEqual([true, false]);
          expect(handle).toMatch(/^[a-z0-9].*[a-z0-9]$/);
          const numbered = numberedHandle(handle, number);
          expect([isHandle(numbered), numbered.endsWith(`-${number}`)]).toEqual([true, true]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['Book club', 'book-club'],
    ['ai', 'group'],
    ['🎉', 'group'],
    ['hearth', 'group-hearth'],
    ['free-abc', 'group-free-abc'],
    ['x', 'group-x'],
  ])('%j is %s', (name, handle) => {
    expect(handleFor(name)).toBe(handle);
  });
});

describe('settings', () => {
  test('change only the given fields', () => {
    const given = create(GroupSettingsSchema, { plans: Plans.NEVER, groupAi: false });
    expect(settle(usualSettings, given, 16)).toEqual({
      ...usualSettings,
      plans: 'never',
      group_ai_runs: false,
    });
    expect(settle(usualSettings, undefined, 16)).toEqual(usualSettings);
    expect(settle(usualSettings, create(GroupSettingsSchema, {}), 16)).toEqual(usualSettings);
  });

  test('survive the round trip', () => {
    for (const minors of [Minors.NO, Minors.GUARDIAN, Minors.TEENS]) {
      for (const joinReview of [JoinReview.NONE, JoinReview.MINORS, JoinReview.ALL]) {
        for (const plans of [Plans.ALLOW, Plans.ASK, Plans.NEVER]) {
          const given = create(GroupSettingsSchema, {
            minors,
            joinReview,
            plans,
            consentAge: 16,
            groupAi: true,
          });
          expect(toSettings(settle(usualSettings, given, 16))).toMatchObject({ minors, joinReview, plans });
        }
      }
    }
  });

  test("respect the age of consent at the organizer's location once teenagers may join", () => {
    const from13 = { ...usualSettings, consent_age: 13 };
    const teens = create(GroupSettingsSchema, { minors: Minors.TEENS });
    for (const age of [14, 15, 16]) expect(() => settle(from13, teens, age)).toThrow('must be 16');
    expect(settle(from13, teens, 13)).toMatchObject({ minors: 'teens', consent_age: 13 });
  });
});

describe('choosing among groups by name', () => {
  const group = (name: string, archived = false) => ({ name, archived });
  test.each([
    ['exact before longer', [group('chess club'), group('Chess')], 'chess', [1]],
    ['active before archived', [group('Chess', true), group('Chess')], 'Chess', [1]],
    ['archived and exact before longer', [group('Chess', true), group('Chess club')], 'chess', [0]],
    ['all that begin so', [group('Chess a'), group('Chess b'), group('Chess c', true)], 'chess', [0, 1]],
    ['archived ones at last', [group('Chess a', true)], 'chess', [0]],
    ['nothing', [], 'chess', []],
  ])('%s', (_, groups, words, meant) => {
    expect(chooseNamed(groups, words)).toEqual(meant.map((index) => groups[index]));
  });
});

describe('an end', () => {
  test.each([
    [null, null, false],
    [null, new Date(1), true],
    [new Date(10), null, true],
    [new Date(11), null, false],
  ])('ends_at %p, archived_at %p', (ends_at, archived_at, archived) => {
    expect(isArchived({ ends_at, archived_at }, 10)).toBe(archived);
  });
});

describe('restoring', () => {
  const day = 86_400_000;
  const archived = {
    ends_at: null,
    archived_at: new Date(0),
    archived_why: 'organizer_archived',
    archived_by: 'ada',
  };
  test('is possible for the person who archived, until the last day has passed', () => {
    expect(restoreRefusal(archived, 'ada', 30 * day, 30)).toBeNull();
    expect(restoreRefusal(archived, 'ada', 30 * day + 1, 30)).toMatchObject({
      details: { code: 'archived' },
    });
    expect(restoreRefusal(archived, 'ben', 1, 30)).toMatchObject({ kind: 'forbidden' });
    expect(restoreRefusal({ ...archived, archived_why: 'ended' }, 'ada', 1, 30)?.message).toContain('ended');
    expect(restoreRefusal({ ...archived, archived_by: null }, 'ada', 1, 30)).toMatchObject({
      kind: 'forbidden',
    });
    expect(
      restoreRefusal({ ...archived, archived_at: null, archived_why: null }, 'ada', 1, 30)?.message,
    ).toBe('this group is not archived');
  });
});

test('a cursor of groups works for its own list only', () => {
  const { read } = cursorOf({ at: 'time', id: 'uuid' });
  fc.assert(fc.property(fc.string(), (text) => expect(() => read(text)).toThrow('next_cursor')));
});
