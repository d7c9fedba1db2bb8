import { systemRandom } from '@hearth/ids';
import { describe, expect, test } from '@jest/globals';
import { createSealer } from './index.ts';

const newKey = () => Buffer.from(systemRandom.bytes(32)).toString('base64url');

describe('a sealer', () => {
  const sealer = createSealer(newKey(), systemRandom);
  const secret = Buffer.from('a signing key');

  test('opens its own sealed values, under the same context', () => {
    expect(sealer.open(sealer.seal(secret, 'key:1'), 'key:1')).toEqual(secret);
  });

  test('never seals the same way twice, and shows nothing of the secret', () => {
    const first = sealer.seal(secret, 'key:1');
    expect(first.equals(sealer.seal(secret, 'key:1'))).toBe(false);
    expect(first.includes(secret)).toBe(false);
  });

  test.each([
    ['another context', () => sealer.open(sealer.seal(secret, 'key:1'), 'key:2')],
    [
      'another seal key',
      () => createSealer(newKey(), systemRandom).open(sealer.seal(secret, 'key:1'), 'key:1'),
    ],
    [
      'a changed byte',
      () => {
        const sealed = sealer.seal(secret, 'key:1');
        sealed[15]! ^= 1;
        return sealer.open(sealed, 'key:1');
      },
    ],
    ['too few bytes', () => sealer.open(Buffer.from([1, 2, 3]), 'key:1')],
  ])('refuses %s', (_, open) => {
    expect(open).toThrow(/sealed/);
  });

  test('derives deterministically, and differently for another purpose, text or key', () => {
    const derived = sealer.derive('claim', 'ai_1');
    expect(sealer.derive('claim', 'ai_1')).toEqual(derived);
    expect(sealer.derive('claim', 'ai_2')).not.toEqual(derived);
    expect(sealer.derive('shield', 'ai_1')).not.toEqual(derived);
    expect(createSealer(newKey(), systemRandom).derive('claim', 'ai_1')).not.toEqual(derived);
  });

  test('refuses a key of the wrong length', () => {
    expect(() => createSealer('c2hvcnQ', systemRandom)).toThrow('32 bytes');
  });
});
