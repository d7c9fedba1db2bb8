import { describe, expect, test } from '@jest/globals';
import * as noble from '@noble/ed25519';
import npmCanonicalize from 'canonicalize';
import { flattenedVerify, importJWK } from 'jose';
import { encodeBase64url } from './base64url.ts';
import { signBytes, verifyBytes } from './ed25519.ts';
import { exportPublicJwk, importPublicKey } from './keys.ts';
import type { JsonObject } from './profile.ts';
import { recordTypes } from './record-types.ts';
import { attachSignature, signingInput, signRecord } from './sign-record.ts';
import { key, options, otherKey, record, sent, typ } from './test-records.ts';
import { goodCoSignatures, verifyRecord } from './verify-record.ts';

describe('a signed record', () => {
  test('keeps the object readable, and verifies after transport', () => {
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
      faults: [],
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

  test('can be signed externally: the bytes go out, and the signature comes back', () => {
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
    const other = signRecord(record, { key: otherKey, typ }).signature;
    const cosigned = { ...signRecord(record, { key, typ }), co_signatures: [other] };
    const again: JsonObject = sent(signRecord(cosigned as unknown as JsonObject, { key, typ }));
    expect(again).toEqual(cosigned);
    expect(verifyRecord(again, options).valid).toBe(true);
    const [entry] = again.co_signatures as object[];
    expect(goodCoSignatures(again, options)).toEqual([{ kid: otherKey.kid, entry }]);
    for (const co_signatures of [7, 'text', null, [], [1, null, 'x', {}], [...Array(8).fill(1), entry]]) {
      expect(goodCoSignatures({ ...again, co_signatures }, options)).toEqual([]);
      expect(verifyRecord({ ...again, co_signatures }, options).valid).toBe(true);
    }
    expect(goodCoSignatures({ ...again, co_signatures: [{}, entry, { a: 1 }] }, options)).toHaveLength(1);
    for (const none of [{ ...again, v: 2 }, record, null, 1])
      expect(goodCoSignatures(none, options)).toEqual([]);
  });

  test('refuses to sign objects outside the profile', () => {
    expect(() => signRecord({ price: 1.5 }, { key, typ })).toThrow('$.price: only integers');
    expect(() => signRecord({ at: new Date(0) }, { key, typ })).toThrow('$.at: only plain objects');
  });
});

describe('a home document', () => {
  const document = {
    v: 1,
    home: 'home.example',
    doc_seq: 4,
    issued_at: '2026-01-02T03:04:05Z',
    valid_until: '2026-01-03T00:00:00Z',
  };
  const home = { ...options, expectedType: 'svc-home+jws' } as const;
  const signed = signRecord(signRecord(document, { key, typ: 'svc-home+jws' }), {
    key: otherKey,
    typ: 'svc-home+jws',
  });

  test('is signed by every active key, and verification returns them all', () => {
    expect(signed.signatures).toHaveLength(2);
    expect(verifyRecord(sent(signed), home).kids).toEqual([key.kid, otherKey.kid]);
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

  test('is refused without signatures, with too many signatures, and after a change', () => {
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
