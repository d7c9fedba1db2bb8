import { encodeBase64url, type ListedKey, type RecordType, signRecord } from '@hearth/signing';
import { Point } from '@noble/ed25519';
import {
  type Forgery,
  forge,
  mixedOrderX,
  signUnder,
  withFlippedBit,
  withLargeS,
  withStrayBit,
} from './forge.ts';
import type { Reason, SignedCase } from './format.ts';
import {
  answer,
  card,
  envelope,
  homeKey,
  listed,
  nextKey,
  recoveryKey,
  requestKey,
  retiredKey,
  revokedKey,
  secondKey,
  strangerKey,
  type VectorKey,
} from './material.ts';

const { kid } = homeKey.pair;
const longAgo = '2025-12-01T00:00:00Z';
const longKid = 'Az09._~:-'.padEnd(128, 'k');
/** The home's first key under another name. */
const named = (name: string) => [{ ...listed(homeKey), kid: name }];
const padded = (header: object, bytes: number) =>
  JSON.stringify(header)
    .replace(/}$/, '')
    .padEnd(bytes - 1)
    .concat('}');

/** Cases common to cards, records and envelopes, each built from an object of that kind. */
function signedCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const good = signRecord(object, { key: homeKey.pair, typ });
  return [
    ...timeCases(object, typ),
    ...homeCases(object, typ),
    ...changedCases(object, typ),
    ...signatureCases(good, typ),
    ...headerCases(object, typ),
  ];
}

export const cardCases = () => signedCases(card, 'svc-card+jws');
export const recordCases = () => [...signedCases(answer, 'svc-record+jws'), ...coSignatureCases()];
export const envelopeCases = () => signedCases(envelope, 'svc-envelope+jws');

function timeCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const end = typ === 'svc-envelope+jws' ? 'expires_at' : 'valid_until';
  const signed = (key: VectorKey, issuedAt: unknown) =>
    signedWith(key, { ...object, issued_at: issuedAt }, typ);
  const until = (time: unknown) => signedWith(homeKey, { ...object, [end]: time }, typ);
  const taken = (name: string, value: unknown, key = homeKey) => valid(name, typ, value, [key.pair.kid]);
  const refused = (name: string, value: unknown, reason: Reason) => invalid(name, typ, value, reason);
  const { issued_at, ...undated } = object;
  const { [end]: _, ...endless } = object;
  return [
    taken('signed by the active key', signed(homeKey, issued_at)),
    taken('signed by another active key', signed(secondKey, issued_at), secondKey),
    taken('signed by a retired key while it was valid', signed(retiredKey, longAgo), retiredKey),
    taken(
      'signed by a retired key, a nanosecond before its end',
      signed(retiredKey, '2026-01-13T23:59:59.999999999Z'),
      retiredKey,
    ),
    refused('issued at the end of a retired key', signed(retiredKey, '2026-01-14T00:00:00Z'), 'key_expired'),
    refused('signed by a retired key after its end', signed(retiredKey, issued_at), 'key_expired'),
    refused('signed by the next key, though its not_before is past', signed(nextKey, issued_at), 'key_next'),
    taken('issued at the beginning of the key', signed(secondKey, '2026-01-10T00:00:00.500Z'), secondKey),
    refused(
      'issued a nanosecond before the beginning of the key',
      signed(secondKey, '2026-01-10T00:00:00.499999999Z'),
      'key_not_yet_valid',
    ),
    refused('signed by the active key before its time', signed(homeKey, longAgo), 'key_not_yet_valid'),
    refused('signed by a revoked key after the revocation', signed(revokedKey, longAgo), 'key_revoked'),
    refused(
      'signed by a revoked key, dated before the revocation',
      signed(revokedKey, '2025-05-01T00:00:00Z'),
      'key_revoked',
    ),
    refused('signed by a key of another home', signed(strangerKey, issued_at), 'unknown_kid'),
    refused('signed by a key for requests alone', signed(requestKey, issued_at), 'unknown_kid'),
    refused('signed by the recovery key', signed(recoveryKey, issued_at), 'unknown_kid'),
    refused('no issued_at', signedWith(homeKey, undated, typ), 'issued_at'),
    ...badTimes.map(([name, time]) => refused(`issued_at ${name}`, signed(homeKey, time), 'issued_at')),
    ...goodTimes.map((time) => taken(`issued_at ${time}`, signed(homeKey, time))),
    taken(`no ${end}`, signedWith(homeKey, endless, typ)),
    taken(`${end} a nanosecond from now`, until('2026-01-15T12:00:00.000000001Z')),
    refused(`${end} now`, until('2026-01-15T12:00:00Z'), 'expired'),
    refused(`${end} has passed`, until('2026-01-15T11:00:00Z'), 'expired'),
    refused(`${end} is no time`, until('tomorrow'), 'expired'),
    refused(`${end} is null`, until(null), 'expired'),
  ];
}

const badTimes: [string, unknown][] = [
  ['is no time', 'today'],
  ['is null', null],
  ['is a number', 1768471200],
  ['is not in UTC', '2026-01-15T10:00:00+01:00'],
  ['is in UTC without Z', '2026-01-15T10:00:00+00:00'],
  ['has ten digits of a fraction', '2026-01-15T10:00:00.1234567890Z'],
  ['has a point and no digits', '2026-01-15T10:00:00.Z'],
  ['has a small z', '2026-01-15T10:00:00z'],
  ['has a small t', '2026-01-15t10:00:00Z'],
  ['has hour 24', '2026-01-14T24:00:00Z'],
  ['has second 60', '2026-01-14T23:59:60Z'],
  ['is 29 February of no leap year', '2026-02-29T10:00:00Z'],
];

const goodTimes = ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00.1Z', '2026-01-15T10:00:00.123456789Z'];

/** Cases about the issuing home, and about keys that it should list differently. */
function homeCases(object: Record<string, unknown>, typ: RecordType): SignedCase[] {
  const origin = typ === 'svc-envelope+jws' ? 'origin' : 'home';
  const { [origin]: _, ...homeless } = object;
  const good = signedWith(homeKey, object, typ);
  const under = (name: string, but: Record<string, unknown>, reason: Reason): SignedCase => ({
    ...invalid(`a key ${name}`, typ, good, reason),
    keys: [{ ...listed(homeKey), ...but } as ListedKey],
  });
  const { x } = listed(homeKey);
  const header = { alg: 'EdDSA', kid, typ };
  const forged = (forgery: Forgery) => ({ ...object, signature: forge(forgery, header, object) });
  const small = { ...listed(homeKey), x: encodeBase64url(Point.ZERO.toBytes()) };
  return [
    invalid(
      'of another home',
      typ,
      signedWith(homeKey, { ...object, [origin]: 'other.example' }, typ),
      'wrong_home',
    ),
    invalid('of no home', typ, signedWith(homeKey, homeless, typ), 'wrong_home'),
    ...(typ === 'svc-envelope+jws'
      ? [
          valid(
            '`home` in an envelope means nothing',
            typ,
            signedWith(homeKey, { ...object, home: 'other.example' }, typ),
            [kid],
          ),
          valid(
            '`valid_until` in an envelope means nothing',
            typ,
            signedWith(homeKey, { ...object, valid_until: longAgo }, typ),
            [kid],
          ),
        ]
      : []),
    under('that is revoked and says not when', { status: 'revoked' }, 'key_revoked'),
    under(
      'that says when it was revoked, and is active',
      { revoked_at: '2026-01-15T11:00:00Z' },
      'key_revoked',
    ),
    under('that is retired without an end', { status: 'retired' }, 'key_expired'),
    under('without a status', { status: undefined }, 'key_next'),
    under('of a status that nobody knows', { status: 'valid' }, 'key_next'),
    under('without not_before', { not_before: undefined }, 'key_listed_badly'),
    under('with not_before null', { not_before: null }, 'key_listed_badly'),
    under('with not_before that is no time', { not_before: '2026-01-01' }, 'key_listed_badly'),
    under('with not_after that is no time', { not_after: '2027-01-01' }, 'key_listed_badly'),
    under('without uses', { uses: undefined }, 'unknown_kid'),
    under('with uses in a text', { uses: 'record' }, 'unknown_kid'),
    under('with `use` in place of `uses`', { uses: undefined, use: ['record'] }, 'unknown_kid'),
    under('with its secret', { d: x }, 'key_form'),
    {
      ...invalid('a key that is listed twice', typ, good, 'key_twice'),
      keys: [listed(homeKey), listed(homeKey, { status: 'retired', not_after: '2027-01-01T00:00:00Z' })],
    },
    {
      ...invalid(
        'a key of small order, under which this fits',
        typ,
        forged('small order'),
        'key_small_order',
      ),
      keys: [small],
    },
    {
      ...invalid(
        'a key of mixed order, under which this fits',
        typ,
        forged('mixed order'),
        'key_mixed_order',
      ),
      keys: [listed(homeKey, { x: mixedOrderX })],
    },
    ...(['R of mixed order', 'R as y = p + 1', 'R as x = -0'] as const).map((forgery) =>
      invalid(forgery, typ, forged(forgery), 'signature_mismatch'),
    ),
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
    refused('a further text in the entry', { ...signature, note: 'x' }, 'signature_form'),
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
    valid(
      'header members in another order and with white space',
      typ,
      under(`{ "typ": "${typ}", "kid": "${kid}", "alg": "EdDSA" }`),
      [kid],
    ),
    valid('alg Ed25519, as RFC 9864 names it', typ, under({ ...right, alg: 'Ed25519' }), [kid]),
    valid('a header of 1,024 letters', typ, under(padded(right, 768)), [kid]),
    refused('a header of more than 1,024 letters', padded(right, 769), 'not_base64url'),
    {
      ...valid('a kid of 128 letters', typ, under({ ...right, kid: longKid }), [longKid]),
      keys: named(longKid),
    },
    {
      ...refused('a kid of 129 letters', { ...right, kid: `${longKid}x` }, 'no_kid'),
      keys: named(`${longKid}x`),
    },
    { ...refused('a kid with a space', { ...right, kid: 'a key' }, 'no_kid'), keys: named('a key') },
    { ...refused('an empty kid', { ...right, kid: '' }, 'no_kid'), keys: named('') },
    { ...refused('a kid that is a number', { ...right, kid: 7 }, 'no_kid'), keys: named(7 as never) },
    refused('jku', { ...right, jku: 'https://evil.example/keys' }, 'header_member'),
    refused('jwk', { ...right, jwk: { kty: 'OKP', crv: 'Ed25519', x: strangerKey.pair.x } }, 'header_member'),
    refused('x5u', { ...right, x5u: 'https://evil.example/certificate' }, 'header_member'),
    refused('x5c', { ...right, x5c: ['AAAA'] }, 'header_member'),
    refused('crit', { ...right, crit: ['exp'], exp: 1 }, 'header_member'),
    refused('b64', { ...right, b64: false, crit: ['b64'] }, 'header_member'),
    refused('a header member that nobody knows', { ...right, extra: 1 }, 'header_member'),
    refused('alg none', { ...right, alg: 'none' }, 'wrong_alg'),
    refused('alg HS256', { ...right, alg: 'HS256' }, 'wrong_alg'),
    refused('alg ed25519', { ...right, alg: 'ed25519' }, 'wrong_alg'),
    refused('alg a list', { ...right, alg: ['EdDSA'] }, 'wrong_alg'),
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
  const by = (key: VectorKey) => signRecord(answer, { key: key.pair, typ }).signature;
  const [second, stranger, old, wrong] = [
    by(secondKey),
    by(strangerKey),
    by(retiredKey),
    { ...by(secondKey), signature: withFlippedBit(by(secondKey).signature, 3) },
  ];
  const { kid: secondKid } = secondKey.pair;
  const taken = (name: string, co_signatures: unknown, co_kids: string[] = []): SignedCase => ({
    ...valid(name, typ, { ...good, co_signatures }, [kid]),
    co_kids,
  });
  return [
    taken('a co-signature by a second key of the home', [second], [secondKid]),
    taken('a co-signature by a key that the home does not list', [stranger]),
    taken('a co-signature by a key that was not valid then', [old]),
    taken('a co-signature that does not fit', [wrong]),
    taken('a good co-signature among bad ones', [wrong, 7, null, {}, 'text', second], [secondKid]),
    taken('a co-signature with a further member', [{ ...second, note: 'x' }]),
    taken('co_signatures a text', 'text'),
    taken('co_signatures null', null),
    taken('co_signatures one entry that is in no list', second),
    taken(
      'nine co-signatures, the eighth and the ninth good',
      [...Array(7).fill(wrong), second, second],
      [secondKid],
    ),
    taken('nine co-signatures, the ninth good', [...Array(8).fill(wrong), second]),
    invalid('a co-signature alone', typ, { ...answer, co_signatures: [by(homeKey)] }, 'no_signature'),
  ];
}

function signedWith(key: VectorKey, object: Record<string, unknown>, typ: RecordType) {
  return signRecord(object, { key: key.pair, typ });
}

export function valid(name: string, typ: RecordType, object: unknown, kids: string[]): SignedCase {
  return { name, expected_type: typ, object, valid: true, kids };
}

export function invalid(name: string, typ: RecordType, object: unknown, reason: Reason): SignedCase {
  return { name, expected_type: typ, object, valid: false, reason };
}
