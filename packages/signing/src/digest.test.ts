import { expect, test } from '@jest/globals';
import { digest } from './digest.ts';

test('hashes bytes unchanged', () => {
  expect(digest(new Uint8Array())).toBe('sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  expect(digest(Buffer.from('abc'))).toBe('sha-256:ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('digests a JSON value by its canonical text', () => {
  const value = { b: [1, 'é'], a: null, skipped: undefined };
  expect(digest(value)).toBe(digest(Buffer.from('{"a":null,"b":[1,"é"]}')));
  expect(digest('abc')).toBe(digest(Buffer.from('"abc"')));
  expect(() => digest({ price: 0.1 })).toThrow('$.price');
});
