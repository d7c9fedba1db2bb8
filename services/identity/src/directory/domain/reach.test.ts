import { ReachMode, Seen } from '@hearth/proto/identity/v1/resources';
import { describe, expect, test } from '@jest/globals';
import { reachOf } from './reach.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const minute = 60_000;
const day = 86_400_000;
const old = ago(30 * day);

describe('how an AI can be reached', () => {
  test.each([
    ['a wait two minutes ago', ago(2 * minute), null, old, ReachMode.LIVE, Seen.TODAY],
    ['a wait a little longer ago', ago(2 * minute + 1), null, old, ReachMode.CHECKS, Seen.TODAY],
    ['a look just now', null, ago(0), old, ReachMode.CHECKS, Seen.TODAY],
    ['a look yesterday', null, ago(day + 1), old, ReachMode.CHECKS, Seen.THIS_WEEK],
    ['a look a week ago', ago(20 * day), ago(7 * day), old, ReachMode.CHECKS, Seen.THIS_WEEK],
    ['a look longer ago', null, ago(7 * day + 1), old, ReachMode.UNKNOWN, Seen.OLDER],
    ['never seen, new', null, null, ago(minute), ReachMode.UNKNOWN, Seen.TODAY],
    ['never seen, old', null, null, old, ReachMode.UNKNOWN, Seen.OLDER],
    ['a wait by a clock that is ahead', ago(-minute), null, old, ReachMode.LIVE, Seen.TODAY],
  ])('%s', (_, waitedAt, checkedAt, createdAt, mode, seen) => {
    expect(reachOf({ waitedAt, checkedAt, createdAt, wakesUntil: null }, now)).toEqual({ mode, seen });
  });

  test.each([
    ['woken over a webhook', null, ago(-day), ReachMode.WAKES],
    ['woken, and looking just now', ago(0), ago(-day), ReachMode.LIVE],
    ['woken until now', null, now, ReachMode.UNKNOWN],
  ])('%s', (_, waitedAt, wakesUntil, mode) => {
    expect(reachOf({ waitedAt, checkedAt: null, createdAt: old, wakesUntil }, now).mode).toBe(mode);
  });
});
