import { describe, expect, test } from '@jest/globals';
import * as noble from '@noble/ed25519';
import npmCanonicalize from 'canonicalize';
import fc from 'fast-check';
import { flattenedVerify, importJWK } from 'jose';
import { encodeBase64url } from './base64url.ts';
import { canonicalize } from './canonicalize.ts';
import { signBytes, verifyBytes } from './ed25519.ts';
import { exportPublicJwk, importPublicKey, keyPairFromSeed } from './keys.ts';
import type { JsonObject, JsonValue } from './profile.ts';
import { type DetachedSignature, recordTypes } from './record-types.ts';
import { attachCoSignature, attachSignature, signingInput, signRecord } from './sign-record.ts';
import { parseStrictJson } from './strict-json.ts';
import { profileObject, profileValue } from './test-support.ts';
import { claimedKids, verifyCoSignatures, verifyRecord } from './verify-record.ts';

const key = keyPairFromSeed(new Uint8Array(32).fill(1));
const otherKey = keyPairFromSeed(new Uint8Array(32).fill(2));
const keys = new Map([key, otherKey].map((pair) => [pair.kid, exportPublicJwk(pair)]));
const typ = 'svc-record+jws';
const options = { expectedType: typ, findKey: (kid: string) => keys.get(kid), at: null } as const;

const record = {
  v: 1,
  type: 'approval.answer',
  id: 'rec_0190f3a1c2d34e5f8a9b0c1d2e3f4a5b',
  home: 'home.example',
  issued_at: '2026-01-02T03:04:05Z',
  subject: { kind: 'approval', id: 'apr_0190f3a1c2d34e5f8a9b0c1d2e3f4a5c' },
  answers: [{ to: '@bea', decision: 'approved', note: 'Gern, bis Freitag! €' }],
};

/** The object as another home gets it: through its JSON text. */
function sent<Value>(value: Value): Value {
  return parseStrictJson(JSON.stringify(value)) as Value;
}

describe('a signed record', () => {
  test('keeps the object readable and verifies after its journey', () => {
    const signed = signRecord(record, { key, typ });
    const { signature, ...rest } = signed;
    expect(rest).toEqual(record);
    expect(Object.keys(signature)).toEqual(['protected', 'signature']);
    expect(Buffer.from(signature.protected, 'base64url').toString()).toBe(
      `{"alg":"EdDSA","kid":"${key.kid}","typ":"svc-record+jws"}`,
    );
    expect(verifyRecord(sent(signed), options)).toEqual({
      valid: true,
      problems: [],
      kid: key.kid,
      kids: [key.kid],
    });
  });

  test.each(recordTypes)('verifies with jose, node:crypto and noble: %s', async (type) => {
    const signed = signRecord(record, { key, typ: type, member: 'signature' });
    const { signature, ...rest } = sent(signed);
    const payload = encodeBase64url(Buffer.from(npmCanonicalize(rest) as string));
    const jose = await flattenedVerify(
      { ...signature, payload },
      await importJWK(exportPublicJwk(key), 'EdDSA'),
    );
    expect(jose.protectedHeader).toEqual({ alg: 'EdDSA', kid: key.kid, typ: type });
    expect(JSON.parse(Buffer.from(jose.payload).toString())).toEqual(rest);

    const input = Buffer.from(`${signature.protected}.${payload}`);
    const bytes = Buffer.from(signature.signature, 'base64url');
    expect(verifyBytes(importPublicKey(exportPublicJwk(key)).keyObject, input, bytes)).toBe(true);
    const publicKey = Buffer.from(key.x, 'base64url');
    const [sig, message, raw] = [bytes, input, publicKey].map((part) => new Uint8Array(part));
    expect(await noble.verifyAsync(sig!, message!, raw!, { zip215: false })).toBe(true);
  });

  test('can be signed elsewhere: the bytes go out, the signature comes back', () => {
    const input = signingInput(record, { kid: key.kid, typ });
    const signed = attachSignature(record, {
      protected: input.protected,
      signature: signBytes(key.privateKey, input.bytes),
    });
    expect(signed).toEqual(signRecord(record, { key, typ }));
    expect(() => attachSignature(record, { protected: input.protected, signature: 'AAAA' })).toThrow(
      'must be 64 bytes',
    );
    expect(() => signingInput(record, { kid: 'no spaces', typ })).toThrow('kid: must be');
  });

  test('signing again replaces the signature and keeps co-signatures', () => {
    const input = signingInput(record, { kid: otherKey.kid, typ });
    const cosigned = attachCoSignature(signRecord(record, { key, typ }), {
      protected: input.protected,
      signature: signBytes(otherKey.privateKey, input.bytes),
    });
    const again = sent(signRecord(cosigned, { key, typ }));
    expect(again).toEqual(cosigned);
    expect(verifyRecord(again, options).valid).toBe(true);
    expect(verifyCoSignatures(again, options)).toEqual([
      { valid: true, problems: [], kid: otherKey.kid, kids: [otherKey.kid] },
    ]);
    expect(verifyCoSignatures({ ...again, v: 2 }, options)[0]?.problems).toEqual([
      'the signature does not fit the object',
    ]);
    expect(verifyCoSignatures(record, options)).toEqual([]);
    expect(verifyCoSignatures({ ...again, co_signatures: 7 }, options)[0]?.valid).toBe(false);
    expect(verifyCoSignatures({ ...again, co_signatures: new Array(9).fill(1) }, options)).toHaveLength(1);
  });

  test('refuses to sign what is outside the profile', () => {
    expect(() => signRecord({ price: 1.5 }, { key, typ })).toThrow('$.price: only integers');
    expect(() => signRecord({ at: new Date(0) }, { key, typ })).toThrow('$.at: only plain objects');
  });
});

describe('a home document', () => {
  const document = { v: 1, home: 'home.example', doc_seq: 4, issued_at: '2026-01-02T03:04:05Z' };
  const home = { ...options, expectedType: 'svc-home+jws' } as const;
  const signed = signRecord(signRecord(document, { key, typ: 'svc-home+jws' }), {
    key: otherKey,
    typ: 'svc-home+jws',
  });

  test('is signed by every active key and names all that fit', () => {
    expect(signed.signatures).toHaveLength(2);
    expect(verifyRecord(sent(signed), home).kids).toEqual([key.kid, otherKey.kid]);
    expect(claimedKids(signed, 'signatures')).toEqual([key.kid, otherKey.kid]);
    expect(signRecord(signed, { key, typ: 'svc-home+jws' }).signatures).toHaveLength(2);
  });

  test('is valid with one good signature among bad and unknown ones', () => {
    const [good] = signed.signatures;
    const bad = { ...signed.signatures[1]!, signature: good!.signature };
    expect(verifyRecord({ ...signed, signatures: [bad, { x: 1 }, good] }, home)).toMatchObject({
      valid: true,
      kids: [key.kid],
    });
    expect(verifyRecord({ ...signed, signatures: [bad] }, home)).toMatchObject({
      valid: false,
      kid: otherKey.kid,
      kids: [],
    });
  });

  test('is refused without signatures, with too many, and when changed', () => {
    expect(verifyRecord({ ...signed, signatures: [] }, home).problems).toEqual([
      'the object carries no signatures',
    ]);
    const nine = new Array(9).fill(signed.signatures[0]);
    expect(verifyRecord({ ...signed, signatures: nine }, home).problems).toEqual([
      'the object carries more than 8 signatures',
    ]);
    expect(verifyRecord({ ...signed, doc_seq: 5 }, home).valid).toBe(false);
  });
});

describe('verifyRecord refuses', () => {
  const good = signRecord(record, { key, typ });

  /** A record signed for real under a header that nobody should accept. */
  function signedUnder(header: unknown): JsonObject {
    const text = typeof header === 'string' ? header : JSON.stringify(header);
    const protectedHeader = encodeBase64url(Buffer.from(text));
    const payload = encodeBase64url(Buffer.from(canonicalize(record)));
    const signature = signBytes(key.privateKey, Buffer.from(`${protectedHeader}.${payload}`));
    return { ...record, signature: { protected: protectedHeader, signature: encodeBase64url(signature) } };
  }

  const header = { alg: 'EdDSA', kid: key.kid, typ };

  test('nothing when the header is right (so that each case below tests its own fault)', () => {
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
  ])('a signature that is or has %s', (_name, hostile, words) => {
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
    const result = verifyRecord(good, { ...options, findKey: () => identity });
    expect(result.problems).toEqual([expect.stringContaining('small order')]);
  });

  test('a record of another type, also when the signature is good', () => {
    const card = signRecord(record, { key, typ: 'svc-card+jws' });
    expect(verifyRecord(card, options).valid).toBe(false);
    expect(verifyRecord(card, { ...options, expectedType: 'svc-card+jws' }).valid).toBe(true);
  });

  test('anything hostile without throwing', () => {
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
      fc.property(hostile, fc.constantFrom('signature', 'signatures'), (value, member) => {
        const result = verifyRecord(value, { ...options, member: member as 'signature', at: undefined });
        expect(result.valid).toBe(false);
        expect(result.problems.length).toBeGreaterThan(0);
        expect(Array.isArray(claimedKids(value))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('any object of the profile', () => {
  test('signs and verifies', () => {
    fc.assert(
      fc.property(profileObject, fc.constantFrom(...recordTypes), (object, type) => {
        const signed = sent(signRecord(object, { key, typ: type }));
        expect(verifyRecord(signed, { ...options, expectedType: type }).valid).toBe(true);
      }),
    );
  });

  test('fails when one member is changed, added or taken away', () => {
    fc.assert(
      fc.property(profileObject, fc.string(), profileValue, fc.nat(), (object, name, value, pick) => {
        fc.pre(!['signature', 'co_signatures'].includes(name));
        const signed = signRecord(object, { key, typ });
        const names = Object.keys(object).filter(
          (member) => member !== 'signature' && member !== 'co_signatures',
        );
        const target = names.length > 0 && pick % 2 === 0 ? names[pick % names.length]! : name;
        const changed = { ...signed, [target]: value };
        fc.pre(!sameJson(changed[target], (signed as JsonObject)[target]));
        expect(verifyRecord(changed, options).valid).toBe(false);
        if (Object.hasOwn(object, target)) {
          const { [target]: taken, ...less } = signed as JsonObject;
          expect(verifyRecord(less, options).valid).toBe(false);
        }
      }),
    );
  });

  test('fails when one bit of its text is changed', () => {
    fc.assert(
      fc.property(profileObject, fc.nat(), fc.nat({ max: 7 }), (object, place, bit) => {
        const signed = signRecord(object, { key, typ });
        const bytes = Buffer.from(JSON.stringify(signed));
        const at = place % bytes.length;
        bytes[at] = bytes[at]! ^ (1 << bit);
        let changed: JsonValue;
        try {
          changed = parseStrictJson(bytes);
        } catch {
          return;
        }
        // A bit may change the spelling alone: \u001F for \u001f.
        fc.pre(canonicalize(changed) !== canonicalize(signed));
        expect(verifyRecord(changed, options).valid).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('fails when one bit of the header or of the signature is changed', () => {
    const signed = signRecord(record, { key, typ });
    for (const part of ['protected', 'signature'] as const) {
      const bytes = Buffer.from(signed.signature[part], 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
        const signature: DetachedSignature = { ...signed.signature, [part]: encodeBase64url(changed) };
        expect(verifyRecord({ ...signed, signature }, options).valid).toBe(false);
      }
    }
  });
});

function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one !== undefined && other !== undefined && canonicalize(one) === canonicalize(other);
}

function strayBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.slice(-1)) + 1];
}

/** The same signature with S written as S + L, which RFC 8032 5.1.7 refuses. */
function plusGroupOrder(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  const encoded = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return encodeBase64url(Buffer.concat([bytes.subarray(0, 32), encoded]));
}
