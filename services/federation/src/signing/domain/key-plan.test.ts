import { describe, expect, test } from '@jest/globals';
import type { KeyRow } from '../db/keys.ts';
import { activeKeys, changesAt, due, recoveryReplaced, revoked, rotated } from './key-plan.ts';

const hour = 3_600_000;
const overlapMs = 48 * hour;
const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (hours: number) => new Date(start + hours * hour);

const key = (kid: string, changes: Partial<KeyRow> = {}): KeyRow => ({
  kid,
  x: kid,
  sealedSeed: Buffer.from(kid),
  uses: ['record', 'request'],
  status: 'active',
  notBefore: at(0),
  notAfter: null,
  revokedAt: null,
  activatedAt: at(0),
  createdAt: at(0),
  ...changes,
});
const recovery = key('recovery', { uses: ['recovery'], sealedSeed: null });
const fresh = key('fresh', { activatedAt: null, createdAt: at(1), notBefore: at(1) });
const first = key('first');

/** Applies changed rows to the keys. */
const after = (keys: KeyRow[], changed: KeyRow[]) => [
  ...changed,
  ...keys.filter(({ kid }) => !changed.some((one) => one.kid === kid)),
];
const states = (keys: KeyRow[]) => Object.fromEntries(keys.map(({ kid, status }) => [kid, status]));

describe('the life of a signing key', () => {
  test('is listed ahead, then signs, and retires the previous key after the same time again', () => {
    let keys = after([first, recovery], rotated([first, recovery], fresh, at(1), false));
    expect(states(keys)).toEqual({ fresh: 'next', first: 'active', recovery: 'active' });
    expect(changesAt(keys, keys[0]!, overlapMs)).toEqual(at(49));
    expect(due(keys, at(48.9), overlapMs)).toEqual([]);

    keys = after(keys, due(keys, at(49), overlapMs));
    expect(activeKeys(keys).map(({ kid }) => kid)).toEqual(['fresh', 'first']);
    expect(keys.find(({ kid }) => kid === 'fresh')!.notBefore).toEqual(at(1));
    expect(due(keys, at(96.9), overlapMs)).toEqual([]);

    keys = after(keys, due(keys, at(97), overlapMs));
    expect(states(keys)).toEqual({ fresh: 'active', first: 'retired', recovery: 'active' });
    expect(keys.find(({ kid }) => kid === 'first')).toMatchObject({ notAfter: at(97), sealedSeed: null });
    expect(due(keys, at(10_000), overlapMs)).toEqual([]);
  });

  test('is listed ahead one at a time, and signs at once on request', () => {
    const keys = after([first], rotated([first], fresh, at(1), false));
    expect(() => rotated(keys, key('third'), at(2), false)).toThrow(/fresh is listed as the next one/);
    expect(rotated(keys, key('third'), at(2), true)).toMatchObject([{ kid: 'fresh', status: 'active' }]);
    expect(rotated([first], fresh, at(2), true)).toMatchObject([{ kid: 'fresh', activatedAt: at(2) }]);
  });

  test('signs from its rotation even when the clock was set back since the previous key', () => {
    const ahead = key('ahead', { activatedAt: at(48), notBefore: at(48) });
    const keys = after([ahead], rotated([ahead], fresh, at(1), true));
    expect(activeKeys(keys).map(({ kid }) => kid)).toEqual(['fresh', 'ahead']);
  });

  test('ends at once when it is revoked, and the next or a new key signs', () => {
    expect(states(revoked([first, recovery], 'first', fresh, at(2)))).toEqual({
      first: 'revoked',
      fresh: 'active',
    });
    const keys = after([first], rotated([first], key('ahead'), at(1), false));
    expect(states(revoked(keys, 'first', fresh, at(2)))).toEqual({ first: 'revoked', ahead: 'active' });
    expect(states(revoked(keys, 'ahead', fresh, at(2)))).toEqual({ ahead: 'revoked' });
  });

  test('stays revoked, and its secret signs the document for one more week', () => {
    const keys = after([first], revoked([first], 'first', fresh, at(2)));
    expect(() => revoked(keys, 'first', fresh, at(3))).toThrow('is revoked');
    expect(() => revoked(keys, 'unknown', fresh, at(3))).toThrow();
    expect(due(keys, at(2 + 167), overlapMs)).toEqual([]);
    expect(due(keys, at(2 + 168), overlapMs)).toMatchObject([
      { kid: 'first', status: 'revoked', sealedSeed: null },
    ]);
  });

  test('a retired key that is revoked needs no replacement', () => {
    const old = key('old', { status: 'retired', notAfter: at(0), sealedSeed: null });
    expect(states(revoked([first, old], 'old', fresh, at(2)))).toEqual({ old: 'revoked' });
  });

  test('is limited in number over the life of a home', () => {
    const many = [first, ...Array.from({ length: 149 }, (_, n) => key(`${n}`, { status: 'retired' }))];
    expect(() => rotated(many, fresh, at(1), true)).toThrow(/at most 150/);
    expect(() => revoked(many, 'first', fresh, at(1))).toThrow(/at most 150/);
  });
});

describe('the recovery key', () => {
  const newer = key('newer', { uses: ['recovery'], sealedSeed: null });

  test('is rotated, and never signs records', () => {
    expect(states(recoveryReplaced([first, recovery], newer, at(1)))).toEqual({
      newer: 'active',
      recovery: 'retired',
    });
    expect(activeKeys([recovery, first])).toEqual([first]);
  });

  test('is replaced when it is revoked', () => {
    expect(states(revoked([first, recovery], 'recovery', newer, at(1)))).toEqual({
      recovery: 'revoked',
      newer: 'active',
    });
  });
});
