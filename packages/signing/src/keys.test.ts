import { describe, expect, test } from '@jest/globals';
import { Point } from '@noble/ed25519';
import fc from 'fast-check';
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import { createBoundedMap } from './bounded-map.ts';
import {
  exportPrivateJwk,
  exportPublicJwk,
  generateKeyPair,
  importPrivateJwk,
  importPublicKey,
  keyPairFromSeed,
  readPublicJwk,
} from './keys.ts';
import { publicKeyProblem } from './point-check.ts';
import { smallOrderEncodings } from './test-support.ts';

const pair = keyPairFromSeed(new Uint8Array(32).fill(7));
const jwk = exportPublicJwk(pair);
const withX = (hex: string) => ({ kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(Buffer.from(hex, 'hex')) });

describe('key pairs', () => {
  test('are made of 32 random bytes and named by their thumbprint', () => {
    const asked: number[] = [];
    const made = generateKeyPair({
      bytes: (count) => {
        asked.push(count);
        return new Uint8Array(count).fill(7);
      },
    });
    expect(asked).toEqual([32]);
    expect(made.x).toBe(pair.x);
    expect(made.kid).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test('survive export and import as JWK', () => {
    const stored = JSON.parse(JSON.stringify(exportPrivateJwk(pair))) as unknown;
    const back = importPrivateJwk(stored);
    expect(exportPrivateJwk(back)).toEqual(exportPrivateJwk(pair));
    expect(exportPrivateJwk(pair).d).toBe(encodeBase64url(new Uint8Array(32).fill(7)));
    expect(exportPublicJwk(back)).toEqual({ kid: pair.kid, kty: 'OKP', crv: 'Ed25519', x: pair.x });
    expect(importPrivateJwk({ ...exportPrivateJwk(pair), kid: 'home-2026' }).kid).toBe('home-2026');
  });

  test.each<[string, object, string]>([
    ['another x', { x: keyPairFromSeed(new Uint8Array(32)).x }, 'x: is not the public half of d'],
    ['a short d', { d: 'AAAA' }, 'd: must be 32 bytes'],
    ['no d', { d: undefined }, 'd: must be 32 bytes'],
    ['a kid with a space', { kid: 'a b' }, 'kid: must be'],
  ])('are refused with %s', (_name, change, words) => {
    expect(() => importPrivateJwk({ ...exportPrivateJwk(pair), ...change })).toThrow(words);
  });

  test('are refused for a seed of the wrong length', () => {
    expect(() => keyPairFromSeed(new Uint8Array(31))).toThrow('seed: must have 32 bytes, has 31');
  });
});

describe('public keys', () => {
  test('are read from a JWK with extra members, and reduced to their own', () => {
    const listed = { ...jwk, use: 'sig', status: 'active', from: '2026-01-01T00:00:00Z' };
    expect(readPublicJwk(listed)).toEqual(jwk);
    expect(readPublicJwk({ ...jwk, kid: undefined })).toEqual(jwk);
    expect(importPublicKey(listed).x).toBe(pair.x);
    expect(importPublicKey({ ...listed }).keyObject).toBe(importPublicKey(jwk).keyObject);
  });

  test.each<[string, unknown, string]>([
    ['nothing', null, 'key: must be a JWK'],
    ['a text', 'key', 'key: must be a JWK'],
    ['another kind', { ...jwk, kty: 'RSA' }, 'kty: must be OKP'],
    ['another curve', { ...jwk, crv: 'X25519' }, 'crv: must be Ed25519'],
    ['another algorithm', { ...jwk, alg: 'HS256' }, 'alg: must be EdDSA'],
    ['a secret inside', { ...jwk, d: 'AAAA' }, 'd: is the secret half'],
    ['no x', { ...jwk, x: undefined }, 'x: is missing'],
    ['x as a list', { ...jwk, x: [1] }, 'x: is missing'],
    ['padding', { ...jwk, x: `${jwk.x}=` }, 'x: must be base64url without padding'],
    ['base64 letters', { ...jwk, x: `+/${jwk.x.slice(2)}` }, 'x: must be base64url'],
    ['stray bits at the end', { ...jwk, x: `${'A'.repeat(42)}B` }, 'x: must be base64url'],
    ['31 bytes', withX('00'.repeat(31)), 'has 32 bytes, this one has 31'],
    ['33 bytes', withX('00'.repeat(33)), 'has 32 bytes, this one has 33'],
    ['no bytes', { ...jwk, x: '' }, 'this one has 0'],
    ['a megabyte', { ...jwk, x: 'A'.repeat(1_000_000) }, 'x: must be base64url'],
    ['y = 2, which is on no point', withX(`02${'00'.repeat(31)}`), 'not a point of the curve'],
    ['y = p + 2', withX(`ef${'ff'.repeat(30)}7f`), 'not the canonical encoding'],
  ])('are refused: %s', (_name, value, words) => {
    expect(() => importPublicKey(value)).toThrow(words);
    expect(() => importPublicKey(value)).toThrow(expect.objectContaining({ kind: 'bad_request' }));
  });

  test.each(smallOrderEncodings)('are refused when of small order: $hex ($what)', ({ hex }) => {
    expect(() => importPublicKey(withX(hex))).toThrow(/small order|not the canonical encoding|not a point/);
    expect(Point.fromHex(hex, true).isSmallOrder()).toBe(true);
  });

  test('include every encoding of every point of the 8-torsion among the refused', () => {
    const found = new Set<string>();
    const order8 = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    for (let times = 0; times < 8; times += 1) {
      let point = Point.ZERO;
      for (let added = 0; added < times; added += 1) point = point.add(order8);
      found.add(point.toHex());
    }
    expect(found.size).toBe(8);
    const canonical = smallOrderEncodings.filter(({ what }) => !what.includes('non-canonical'));
    expect(new Set(canonical.map(({ hex }) => hex))).toEqual(found);
    expect(smallOrderEncodings).toHaveLength(14);
  });

  test('are accepted for any seed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const made = keyPairFromSeed(seed);
        expect(importPublicKey(exportPublicJwk(made)).x).toBe(made.x);
      }),
      { numRuns: 50 },
    );
  });

  test('of any bytes are accepted or refused without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const problem = publicKeyProblem(bytes);
        expect(problem === null || problem.length > 10).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('base64url', () => {
  test('survives the round trip for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase64url(encodeBase64url(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('is refused in any non-canonical spelling', () => {
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const bytes = decodeBase64url(text);
        if (bytes !== null) expect(encodeBase64url(bytes)).toBe(text);
      }),
    );
    expect(decodeBase64url('AB')).toBeNull();
    expect(decodeBase64url('AA==')).toBeNull();
    expect(decodeBase64url('AA\n')).toBeNull();
    expect(decodeBase64url('A')).toBeNull();
    expect(decodeBase64url('AA')).toEqual(Buffer.from([0]));
  });
});

describe('a bounded map', () => {
  test('evicts the least recently used entry', () => {
    const map = createBoundedMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
    map.set('c', 4);
    expect([map.get('a'), map.get('c'), map.size]).toEqual([1, 4, 2]);
  });
});
