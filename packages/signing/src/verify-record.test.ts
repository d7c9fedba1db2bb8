import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeBase64url } from './base64url.ts';
import { canonicalize } from './canonicalize.ts';
import { signBytes } from './ed25519.ts';
import { readHomeDocument } from './home-document.ts';
import { exportPublicJwk } from './keys.ts';
import type { JsonObject, JsonValue } from './profile.ts';
import { recordTypes } from './record-types.ts';
import { signRecord } from './sign-record.ts';
import { key, options, otherKey, record, typ } from './test-records.ts';
import { profileObject } from './test-support.ts';
import { goodCoSignatures, verifyRecord } from './verify-record.ts';

describe('verifyRecord refuses', () => {
  const good = signRecord(record, { key, typ });

  /** A correctly signed record whose header no verifier may accept. */
  function signedUnder(header: unknown): JsonObject {
    const text = typeof header === 'string' ? header : JSON.stringify(header);
    const protectedHeader = encodeBase64url(Buffer.from(text));
    const payload = encodeBase64url(Buffer.from(canonicalize(record)));
    const signature = signBytes(key.privateKey, Buffer.from(`${protectedHeader}.${payload}`));
    return { ...record, signature: { protected: protectedHeader, signature: encodeBase64url(signature) } };
  }

  const header = { alg: 'EdDSA', kid: key.kid, typ };

  test('nothing with a valid header, so that each case below tests its own fault', () => {
    expect(verifyRecord(signedUnder(header), options).valid).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ['jku', { ...header, jku: 'https://evil.example/keys' }, '"jku", which is refused'],
    ['jwk', { ...header, jwk: exportPublicJwk(otherKey) }, '"jwk", which is refused'],
    ['x5u', { ...header, x5u: 'https://evil.example/cert' }, '"x5u", which is refused'],
    ['x5c', { ...header, x5c: ['AAAA'] }, '"x5c", which is refused'],
    ['crit', { ...header, crit: ['exp'] }, '"crit", which is refused'],
    ['b64', { ...header, b64: false }, '"b64", which is refused'],
    ['b64 with crit', { ...header, b64: false, crit: ['b64'] }, 'which is refused'],
    ['a member nobody knows', { ...header, extra: 1 }, '"extra", which is refused'],
    ['alg none', { ...header, alg: 'none' }, 'must say alg EdDSA'],
    ['alg HS256', { ...header, alg: 'HS256' }, 'must say alg EdDSA'],
    ['no alg', { kid: key.kid, typ }, 'must say alg EdDSA'],
    ['another typ', { ...header, typ: 'svc-card+jws' }, 'must say typ svc-record+jws'],
    ['no typ', { alg: 'EdDSA', kid: key.kid }, 'must say typ'],
    ['no kid', { alg: 'EdDSA', typ }, 'names no key'],
    ['an empty kid', { ...header, kid: '' }, 'kid must be'],
    ['a kid that is a number', { ...header, kid: 1 }, 'kid must be'],
    ['a kid nobody knows', { ...header, kid: 'unknown' }, 'the key unknown is not one of the signer'],
    ['a kid twice', `{"alg":"EdDSA","kid":"x","kid":"${key.kid}","typ":"${typ}"}`, 'stands twice'],
    ['a list as header', [header], 'not a JSON object'],
    ['null as header', 'null', 'not a JSON object'],
    ['a header that is no JSON', 'alg=EdDSA', 'not JSON'],
    ['a long header', { ...header, kid: 'k'.repeat(2_000) }, 'protected header is not canonical base64url'],
  ])('a header with %s', (_name, hostile, words) => {
    const result = verifyRecord(signedUnder(hostile), options);
    expect(result).toMatchObject({ valid: false, kids: [], problems: [expect.stringContaining(words)] });
  });

  const { signature } = good;
  test.each<[string, unknown, string]>([
    ['no signature', undefined, 'no signature of the form'],
    ['a text', 'abc', 'no signature of the form'],
    ['a list', [signature], 'no signature of the form'],
    [
      'an unprotected header',
      { ...signature, header: { kid: 'x' } },
      'besides protected and signature: "header"',
    ],
    ['numbers', { protected: 1, signature: 2 }, 'must both be texts'],
    [
      'padding',
      { ...signature, signature: `${signature.signature}==` },
      'signature is not canonical base64url',
    ],
    [
      'stray bits',
      { ...signature, signature: strayBits(signature.signature) },
      'signature is not canonical base64url',
    ],
    [
      'a padded header',
      { ...signature, protected: `${signature.protected}=` },
      'header is not canonical base64url',
    ],
    ['base64', { ...signature, signature: '+/'.repeat(43) }, 'signature is not canonical base64url'],
    ['63 bytes', { ...signature, signature: encodeBase64url(Buffer.alloc(63)) }, 'must have 64 bytes'],
    ['a megabyte', { ...signature, signature: 'A'.repeat(1_000_000) }, 'not canonical base64url'],
    ['zeros', { ...signature, signature: encodeBase64url(Buffer.alloc(64)) }, 'does not fit'],
    ['S + L', { ...signature, signature: plusGroupOrder(signature.signature) }, 'does not fit'],
  ])('a signature with %s', (_name, hostile, words) => {
    const result = verifyRecord({ ...record, signature: hostile }, options);
    expect(result).toMatchObject({ valid: false, problems: [expect.stringContaining(words)] });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 1],
    ['a text', 'record'],
    ['a list', [good]],
    ['undefined', undefined],
  ])('%s instead of an object', (_name, value) => {
    expect(verifyRecord(value, options)).toMatchObject({
      valid: false,
      problems: ['this is not a JSON object'],
    });
  });

  test('an object outside the profile, with its claimed key', () => {
    expect(verifyRecord({ ...good, price: 0.5 }, options)).toMatchObject({
      valid: false,
      kid: key.kid,
      problems: [expect.stringContaining('$.price')],
    });
    let deep: JsonValue = 1;
    for (let level = 0; level < 40; level += 1) deep = [deep];
    expect(verifyRecord({ ...good, deep }, options).problems[0]).toContain('nested deeper');
  });

  test('a key of small order, whatever it signed', () => {
    const identity = {
      kid: key.kid,
      kty: 'OKP',
      crv: 'Ed25519',
      x: encodeBase64url(Buffer.from([1, ...new Array<number>(31).fill(0)])),
    } as const;
    const keys = [{ ...options.keys[0]!, ...identity }];
    const result = verifyRecord(good, { ...options, keys });
    expect(result.problems).toEqual([expect.stringContaining('small order')]);
  });

  test('a record of another type, even with a valid signature', () => {
    const card = signRecord(record, { key, typ: 'svc-card+jws' });
    expect(verifyRecord(card, options).valid).toBe(false);
    expect(verifyRecord(card, { ...options, expectedType: 'svc-card+jws' }).valid).toBe(true);
  });

  test('hostile input without throwing', () => {
    const hostile = fc.oneof(
      fc.anything(),
      fc.record({ signature: fc.anything(), issued_at: fc.anything() }),
      fc.record({ signature: fc.record({ protected: fc.anything(), signature: fc.anything() }) }),
      fc.record({ signatures: fc.array(fc.anything()) }),
      fc.tuple(profileObject, fc.json()).map(([object, text]) => ({
        ...object,
        signature: { protected: encodeBase64url(Buffer.from(text)), signature: signature.signature },
      })),
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom(...recordTypes), (value, expectedType) => {
        const result = verifyRecord(value, { ...options, expectedType });
        expect(result.valid).toBe(false);
        expect(result.problems.length).toBeGreaterThan(0);
        expect(result.faults.length).toBeGreaterThan(0);
        expect(goodCoSignatures(value, options)).toEqual([]);
        expect(typeof readHomeDocument(value, { home: options.home, now: options.now })).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});

function strayBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
}

/** The same signature with S replaced by S + L, which RFC 8032 5.1.7 refuses. */
function plusGroupOrder(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  const encoded = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return encodeBase64url(Buffer.concat([bytes.subarray(0, 32), encoded]));
}
