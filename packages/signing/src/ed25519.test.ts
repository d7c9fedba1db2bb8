import { describe, expect, test } from '@jest/globals';
import * as noble from '@noble/ed25519';
import { encodeBase64url } from './base64url.ts';
import { publicBytesOf, signBytes, verifyBytes } from './ed25519.ts';
import { importPublicKey, keyPairFromSeed, thumbprint } from './keys.ts';
import { readPublished } from './test-support.ts';

interface Rfc8032 {
  cases: {
    source: string;
    secret_hex: string;
    public_hex: string;
    message_hex: string;
    signature_hex: string;
  }[];
}

interface Wycheproof {
  numberOfTests: number;
  testGroups: {
    publicKey: { pk: string };
    tests: { tcId: number; comment: string; msg: string; sig: string; result: 'valid' | 'invalid' }[];
  }[];
}

const hex = (text: string) => Buffer.from(text, 'hex');

function jwkOf(publicHex: string) {
  return { kty: 'OKP', crv: 'Ed25519', x: encodeBase64url(hex(publicHex)) };
}

async function nobleVerifies(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    const [sig, msg, key] = [signature, message, publicKey].map((bytes) => new Uint8Array(bytes));
    return await noble.verifyAsync(sig!, msg!, key!, { zip215: false });
  } catch {
    return false;
  }
}

describe('RFC 8032', () => {
  test.each((JSON.parse(readPublished('rfc8032.json')) as Rfc8032).cases)('$source', async (vector) => {
    const pair = keyPairFromSeed(hex(vector.secret_hex));
    expect(publicBytesOf(pair.privateKey).toString('hex')).toBe(vector.public_hex);
    expect(pair.x).toBe(encodeBase64url(hex(vector.public_hex)));
    const message = hex(vector.message_hex);
    expect(signBytes(pair.privateKey, message).toString('hex')).toBe(vector.signature_hex);
    const byNoble = await noble.signAsync(new Uint8Array(message), new Uint8Array(hex(vector.secret_hex)));
    expect(Buffer.from(byNoble).toString('hex')).toBe(vector.signature_hex);
    const { keyObject } = importPublicKey(jwkOf(vector.public_hex));
    expect(verifyBytes(keyObject, message, hex(vector.signature_hex))).toBe(true);
  });
});

describe('Wycheproof', () => {
  const vectors = JSON.parse(readPublished('wycheproof-ed25519.json')) as Wycheproof;
  const cases = vectors.testGroups.flatMap((group) =>
    group.tests.map((vector) => ({ ...vector, pk: group.publicKey.pk })),
  );

  test('is complete', () => {
    expect(cases).toHaveLength(vectors.numberOfTests);
    expect(cases.filter((vector) => vector.result === 'valid').length).toBeGreaterThan(50);
    expect(cases.filter((vector) => vector.result === 'invalid').length).toBeGreaterThan(50);
  });

  test.each(cases)('$tcId $comment: $result', async ({ pk, msg, sig, result }) => {
    const { keyObject } = importPublicKey(jwkOf(pk));
    expect(verifyBytes(keyObject, hex(msg), hex(sig))).toBe(result === 'valid');
    expect(await nobleVerifies(hex(pk), hex(msg), hex(sig))).toBe(result === 'valid');
  });
});

describe('other published keys', () => {
  test('RFC 8037 A.3: the thumbprint', () => {
    const vector = JSON.parse(readPublished('rfc8037.json')) as {
      jwk: { d: string; x: string };
      thumbprint: string;
    };
    expect(thumbprint(vector.jwk.x)).toBe(vector.thumbprint);
    const pair = keyPairFromSeed(Buffer.from(vector.jwk.d, 'base64url'));
    expect(pair).toMatchObject({ x: vector.jwk.x, kid: vector.thumbprint });
  });

  test('RFC 9421 B.2.6: the signature over the signature base', () => {
    const vector = JSON.parse(readPublished('rfc9421-b26.json')) as {
      jwk: { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string };
      signature_base: string;
      signature_base64: string;
    };
    const { d, ...publicJwk } = vector.jwk;
    const base = Buffer.from(vector.signature_base);
    const signature = Buffer.from(vector.signature_base64, 'base64');
    expect(verifyBytes(importPublicKey(publicJwk).keyObject, base, signature)).toBe(true);
    expect(signBytes(keyPairFromSeed(Buffer.from(d, 'base64url')).privateKey, base)).toEqual(signature);
  });

  test('the identity point as a key has a signature valid for every message, so it is refused', async () => {
    const identity = new Uint8Array(32);
    identity[0] = 1;
    const one = new Uint8Array(32);
    one[0] = 1;
    const forged = new Uint8Array([...noble.Point.BASE.toBytes(), ...one]);
    for (const words of ['anything', 'anything else']) {
      // Verifiers differ here: OpenSSL before 3.5 and every lenient one accept it.
      expect(await noble.verifyAsync(forged, Buffer.from(words), identity, { zip215: true })).toBe(true);
    }
    const jwk = jwkOf(Buffer.from(identity).toString('hex'));
    expect(() => importPublicKey(jwk)).toThrow('small order');
  });
});
