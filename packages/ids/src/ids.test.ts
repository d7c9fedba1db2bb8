import { expect, test } from '@jest/globals';
import { createIds, systemRandom } from './ids.ts';

const clock = { now: () => Date.UTC(2026, 0, 31, 12) };

test('a uuid is unique, of version 7, and carries its time', () => {
  const ids = createIds(clock, systemRandom);
  const made = Array.from({ length: 5_000 }, () => ids.uuid());
  for (const uuid of made) {
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(clock.now());
  }
  expect(new Set(made).size).toBe(made.length);
});

test('a token has the requested length and only letters and digits', () => {
  const ids = createIds(clock, systemRandom);
  for (const length of [1, 22, 43, 5_000])
    expect(ids.token(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
  expect(ids.token(22)).not.toBe(ids.token(22));
});

test('random bytes have the requested length, stay unchanged, and never repeat', () => {
  const given = Array.from({ length: 3_000 }, (_, index) => systemRandom.bytes(16 + (index % 17)));
  const copies = given.map((bytes) => Buffer.from(bytes).toString('hex'));
  expect(given.map((bytes) => bytes.length)).toEqual(given.map((_, index) => 16 + (index % 17)));
  for (let draw = 0; draw < 1_000; draw += 1) systemRandom.bytes(32);
  expect(given.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(copies);
  expect(new Set(copies.map((copy) => copy.slice(0, 32))).size).toBe(copies.length);
});

test.each([0, 1, 4_095, 4_096, 4_097, 100_000])('%i random bytes at once', (count) => {
  const bytes = systemRandom.bytes(count);
  expect(bytes.length).toBe(count);
  if (count > 1_000) expect(new Set(bytes).size).toBe(256);
});
