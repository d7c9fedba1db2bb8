import { type RecordType, signRecord } from '@hearth/signing';
import { signUnder, withFlippedBit, withLargeS, withStrayBit } from './forge.ts';
import type { Reason, SignedCase } from './format.ts';
import { answer, card, envelope, homeKey, nextKey, retiredKey, revokedKey, strangerKey } from './material.ts';

const { kid } = homeKey.pair;
const longAgo = '2025-12-01T00:00:00Z';

/** The cases that hold for cards, records and envelopes alike, each made from that kind's own object. */
export function signedCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const good = signRecord(object, { key: homeKey.pair, typ });
  return [
    ...timeCases(object, typ),
    ...changedCases(object, typ),
    ...signatureCases(good, typ),
    ...headerCases(object, typ),
  ];
}

export const cardCases = () => signedCases(card, 'svc-card+jws');
export const recordCases = () => [...signedCases(answer, 'svc-record+jws'), ...coSignatureCases()];
export const envelopeCases = () => signedCases(envelope, 'svc-envelope+jws');

function timeCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const signed = (key: typeof homeKey, issuedAt: unknown) =>
    signRecord({ ...object, issued_at: issuedAt }, { key: key.pair, typ });
  const refused = (name: string, value: unknown, reason: Reason) => invalid(name, typ, value, reason);
  return [
    {
      name: 'signed by the active key',
      expected_type: typ,
      object: signed(homeKey, object.issued_at),
      valid: true,
      kids: [kid],
    },
    {
      name: 'signed by a retired key while it was valid',
      expected_type: typ,
      object: signed(retiredKey, longAgo),
      valid: true,
      kids: [retiredKey.pair.kid],
    },
    refused('signed by a retired key after its end', signed(retiredKey, object.issued_at), 'key_expired'),
    refused('signed by the next key before its time', signed(nextKey, object.issued_at), 'key_not_yet_valid'),
    refused('signed by the active key before its time', signed(homeKey, longAgo), 'key_not_yet_valid'),
    refused('signed by a revoked key after the revocation', signed(revokedKey, longAgo), 'key_revoked'),
    refused(
      'signed by a revoked key, dated before the revocation',
      signed(revokedKey, '2025-05-01T00:00:00Z'),
      'key_revoked',
    ),
    refused('signed by a key of another home', signed(strangerKey, object.issued_at), 'unknown_kid'),
    refused('issued_at is no time', signed(homeKey, 'today'), 'issued_at'),
    refused('issued_at is not in UTC', signed(homeKey, '2026-01-15T10:00:00+01:00'), 'issued_at'),
  ];
}

function changedCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const good = signRecord(object, { key: homeKey.pair, typ });
  const text = JSON.stringify(good);
  const { v, ...withoutVersion } = good;
  const inText = (name: string, changed: string, reason: Reason): SignedCase => ({
    name,
    expected_type: typ,
    text: changed,
    valid: false,
    reason,
  });
  const float = { ...object, price: 1.5 };
  let deep: unknown = 1;
  for (let level = 0; level < 32; level += 1) deep = [deep];
  const tooDeep = { ...object, deep };
  const header = { alg: 'EdDSA', kid, typ };
  return [
    {
      name: 'members in another order and with white space',
      expected_type: typ,
      text: JSON.stringify(Object.fromEntries(Object.entries(good).reverse()), null, 2),
      valid: true,
      kids: [kid],
    },
    {
      name: 'every letter beyond ASCII escaped',
      expected_type: typ,
      text: text.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      valid: true,
      kids: [kid],
    },
    invalid('a member changed', typ, { ...good, v: 2 }, 'signature_mismatch'),
    invalid('a member added', typ, { ...good, note: 'added' }, 'signature_mismatch'),
    invalid('a member taken away', typ, withoutVersion, 'signature_mismatch'),
    invalid(
      'a list `signatures` added',
      typ,
      { ...good, signatures: [good.signature] },
      'signature_mismatch',
    ),
    inText('a member twice', text.replace('{"v":1,', '{"v":2,"v":1,'), 'duplicate_member'),
    inText(
      'a member twice, once escaped',
      text.replace('{"v":1,', '{"\\u0076":1,"v":1,'),
      'duplicate_member',
    ),
    inText('1.0 for 1', text.replace('{"v":1,', '{"v":1.0,'), 'float'),
    inText('1e0 for 1', text.replace('{"v":1,', '{"v":1e0,'), 'float'),
    inText(
      'a float, signed as it stands',
      JSON.stringify({ ...float, signature: signUnder(homeKey, header, float) }),
      'float',
    ),
    inText(
      '33 levels, signed as they stand',
      JSON.stringify({ ...tooDeep, signature: signUnder(homeKey, header, tooDeep) }),
      'too_deep',
    ),
    inText('cut short', text.slice(0, -1), 'not_json'),
    inText('more behind it', `${text}{}`, 'not_json'),
  ];
}

function signatureCases(
  good: { signature: { protected: string; signature: string } },
  typ: RecordType,
): SignedCase[] {
  const { signature, ...object } = good;
  const refused = (name: string, value: unknown, reason: Reason) =>
    invalid(name, typ, { ...object, signature: value }, reason);
  return [
    invalid('no signature', typ, object, 'no_signature'),
    refused('signature null', null, 'no_signature'),
    refused('a list of signatures', [signature], 'no_signature'),
    refused('an unprotected header', { ...signature, header: { kid } }, 'signature_form'),
    refused('padding', { ...signature, signature: `${signature.signature}==` }, 'not_base64url'),
    refused(
      'a stray bit in the last character',
      { ...signature, signature: withStrayBit(signature.signature) },
      'not_base64url',
    ),
    refused('a line break', { ...signature, signature: `${signature.signature}\n` }, 'not_base64url'),
    refused('a padded header', { ...signature, protected: `${signature.protected}=` }, 'not_base64url'),
    refused(
      '63 bytes',
      { ...signature, signature: Buffer.alloc(63).toString('base64url') },
      'signature_form',
    ),
    refused(
      '64 zeros',
      { ...signature, signature: Buffer.alloc(64).toString('base64url') },
      'signature_mismatch',
    ),
    refused('S + L', { ...signature, signature: withLargeS(signature.signature) }, 'signature_mismatch'),
    refused(
      'a bit of R turned',
      { ...signature, signature: withFlippedBit(signature.signature, 3) },
      'signature_mismatch',
    ),
    refused(
      'a bit of S turned',
      { ...signature, signature: withFlippedBit(signature.signature, 260) },
      'signature_mismatch',
    ),
  ];
}

function headerCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const right = { alg: 'EdDSA', kid, typ };
  const otherTyp = typ === 'svc-card+jws' ? 'svc-record+jws' : 'svc-card+jws';
  const under = (header: unknown) => ({ ...object, signature: signUnder(homeKey, header, object) });
  const refused = (name: string, header: unknown, reason: Reason) =>
    invalid(name, typ, under(header), reason);
  return [
    {
      name: 'header members in another order and with white space',
      expected_type: typ,
      object: under(`{ "typ": "${typ}", "kid": "${kid}", "alg": "EdDSA" }`),
      valid: true,
      kids: [kid],
    },
    refused('jku', { ...right, jku: 'https://evil.example/keys' }, 'header_member'),
    refused('jwk', { ...right, jwk: { kty: 'OKP', crv: 'Ed25519', x: strangerKey.pair.x } }, 'header_member'),
    refused('x5u', { ...right, x5u: 'https://evil.example/certificate' }, 'header_member'),
    refused('x5c', { ...right, x5c: ['AAAA'] }, 'header_member'),
    refused('crit', { ...right, crit: ['exp'], exp: 1 }, 'header_member'),
    refused('b64', { ...right, b64: false, crit: ['b64'] }, 'header_member'),
    refused('a header member that nobody knows', { ...right, extra: 1 }, 'header_member'),
    refused('alg none', { ...right, alg: 'none' }, 'wrong_alg'),
    refused('alg HS256', { ...right, alg: 'HS256' }, 'wrong_alg'),
    refused('alg Ed25519', { ...right, alg: 'Ed25519' }, 'wrong_alg'),
    refused('no alg', { kid, typ }, 'wrong_alg'),
    refused('the type of another kind', { ...right, typ: otherTyp }, 'wrong_typ'),
    refused('typ JWT', { ...right, typ: 'JWT' }, 'wrong_typ'),
    refused('no typ', { alg: 'EdDSA', kid }, 'wrong_typ'),
    refused('no kid', { alg: 'EdDSA', typ }, 'no_kid'),
    refused('an unknown kid', { ...right, kid: 'unknown' }, 'unknown_kid'),
    refused('the kid of another key of the home', { ...right, kid: retiredKey.pair.kid }, 'key_expired'),
    refused(
      'a header member twice',
      `{"alg":"EdDSA","kid":"unknown","kid":"${kid}","typ":"${typ}"}`,
      'duplicate_member',
    ),
    refused('a header that is a list', [right], 'signature_form'),
    refused('a header that is no JSON', 'alg=EdDSA', 'not_json'),
  ];
}

function coSignatureCases(): SignedCase[] {
  const typ = 'svc-record+jws';
  const good = signRecord(answer, { key: homeKey.pair, typ });
  const co = signRecord(answer, { key: strangerKey.pair, typ }).signature;
  return [
    {
      name: 'with a co-signature',
      expected_type: typ,
      object: { ...good, co_signatures: [co] },
      valid: true,
      kids: [kid],
    },
    invalid('with a co-signature alone', typ, { ...answer, co_signatures: [co] }, 'no_signature'),
  ];
}

export function invalid(name: string, typ: RecordType, object: unknown, reason: Reason): SignedCase {
  return { name, expected_type: typ, object, valid: false, reason };
}
