import { encodeBase64url, type ListedKey, signRecord } from '@hearth/signing';
import { Point } from '@noble/ed25519';
import { mixedOrderX, signUnder, withFlippedBit } from './forge.ts';
import type { Reason, SignedCase } from './format.ts';
import {
  homeDocument,
  homeKey,
  listed,
  listedKeys,
  nextKey,
  recoveryKey,
  requestKey,
  retiredKey,
  revokedKey,
  secondKey,
  strangerKey,
  type VectorKey,
} from './material.ts';
import { invalid, valid } from './signed-vectors.ts';

const typ = 'svc-home+jws';
const { kid } = homeKey.pair;
const second = secondKey.pair.kid;

/** Single home documents: their signers, their keys, and their validity. */
export function homeDocumentCases(): SignedCase[] {
  return [...signerCases(), ...formCases(), ...listCases(), ...timeCases()];
}

function sign(but: object, ...keys: VectorKey[]) {
  const document: Record<string, unknown> = { ...homeDocument, ...but };
  const by = keys.length === 0 ? [homeKey, secondKey] : keys;
  return by.reduce((signed, { pair }) => signRecord(signed, { key: pair, typ }), document);
}

const taken = (name: string, object: unknown, kids = [kid, second]) => valid(name, typ, object, kids);
const refused = (name: string, object: unknown, reason: Reason) => invalid(name, typ, object, reason);

function signerCases(): SignedCase[] {
  const one = sign({}, homeKey);
  const [first, stranger] = sign({}, homeKey, strangerKey)['signatures'] as { signature: string }[];
  const broken = { ...first, signature: withFlippedBit(first!.signature, 9) };
  // Not lapsed, and issued while the key that is now retired was valid.
  const backdated = { issued_at: '2026-01-13T10:00:00Z', valid_until: '2026-01-20T10:00:00Z' };
  const later = listed(homeKey, { status: 'retired', not_after: '2027-01-01T00:00:00Z' });
  const withRetired = { keys: [later, ...listedKeys.slice(1)] };
  return [
    taken('signed by one active key', one, [kid]),
    taken('signed by every active key', sign({})),
    taken('signed by the recovery key alone', sign({}, recoveryKey), [recoveryKey.pair.kid]),
    taken('signed by an unknown key as well', sign({}, homeKey, strangerKey), [kid]),
    taken('signed by an unknown key before that', { ...one, signatures: [stranger, first] }, [kid]),
    taken('a broken signature beside a good one', { ...one, signatures: [broken, first] }, [kid]),
    taken('signed by the next key as well', sign({}, homeKey, nextKey), [kid]),
    taken('signed by a revoked key as well', sign({}, homeKey, revokedKey), [kid]),
    taken(
      'signed by eight keys, of which two are active',
      sign({}, ...[homeKey, secondKey, nextKey, retiredKey, revokedKey, requestKey, strangerKey]),
    ),
    refused('signed by an unknown key alone', sign({}, strangerKey), 'unknown_kid'),
    refused('signed by a key for requests alone', sign({}, requestKey), 'unknown_kid'),
    refused('signed by the next key alone', sign({}, nextKey), 'key_next'),
    refused('signed by a revoked key alone', sign({}, revokedKey), 'key_revoked'),
    refused('signed by a retired key, dated back to its time', sign(backdated, retiredKey), 'key_expired'),
    refused('signed by a retired key whose end lies ahead', sign(withRetired, homeKey), 'key_expired'),
    refused('changed after signing', { ...one, doc_seq: 6 }, 'signature_mismatch'),
    refused('the one signature broken', { ...one, signatures: [broken] }, 'signature_mismatch'),
  ];
}

function formCases(): SignedCase[] {
  const one = sign({}, homeKey);
  const [first] = one['signatures'] as object[];
  const inside = { signature: { protected: 'x', signature: 'y' }, co_signatures: [1] };
  const { home: _, ...homeless } = homeDocument;
  return [
    taken('with `signature` and `co_signatures`, which are signed there', sign(inside)),
    refused('`signature` added after signing', { ...one, signature: first }, 'signature_mismatch'),
    refused('`co_signatures` added after signing', { ...one, co_signatures: [first] }, 'signature_mismatch'),
    refused('without signatures', homeDocument, 'no_signature'),
    refused('with an empty list', { ...homeDocument, signatures: [] }, 'no_signature'),
    refused('with one signature that is in no list', { ...homeDocument, signatures: first }, 'no_signature'),
    refused('with nine signatures', { ...one, signatures: Array(9).fill(first) }, 'too_many_signatures'),
    refused(
      'signed as a card',
      {
        ...homeDocument,
        signatures: [signUnder(homeKey, { alg: 'EdDSA', kid, typ: 'svc-card+jws' }, homeDocument)],
      },
      'wrong_typ',
    ),
    refused('of another home', sign({ home: 'other.example' }), 'wrong_home'),
    refused('of no home', signRecord(homeless, { key: homeKey.pair, typ }), 'wrong_home'),
    ...[undefined, -1, '7', null].map((doc_seq) =>
      refused(`doc_seq ${JSON.stringify(doc_seq) ?? 'absent'}`, sign({ doc_seq }), 'doc_seq'),
    ),
    taken('doc_seq 0', sign({ doc_seq: 0 })),
  ];
}

/** The usual keys, and others that sign nothing. */
function manyKeys(count: number): ListedKey[] {
  const more = Array.from({ length: count - listedKeys.length }, (_, number) => ({
    ...listed(strangerKey),
    kid: `key-${number}`,
  }));
  return [...listedKeys, ...more];
}

/** Cases with an additional key in the list that signs nothing there. */
function listCases(): SignedCase[] {
  const with_ = (name: string, key: unknown, reason: Reason) =>
    refused(name, sign({ keys: [...listedKeys, key as ListedKey] }), reason);
  const good = listed(strangerKey);
  const { kid: _kid, ...kidless } = good;
  return [
    taken('with one more good key', sign({ keys: [...listedKeys, good] })),
    taken('with a key for something new', sign({ keys: [...listedKeys, { ...good, uses: ['greeting'] }] })),
    with_('with a key that is listed twice', listed(homeKey), 'key_twice'),
    with_('with two keys under one kid', { ...good, kid }, 'key_twice'),
    with_('with a key without a kid', kidless, 'key_form'),
    with_('with a key whose kid is a number', { ...good, kid: 7 }, 'key_form'),
    with_('with a key whose kid is a list of its text', { ...good, kid: [good.kid] }, 'key_form'),
    with_('with a key whose kid has a space', { ...good, kid: 'a key' }, 'key_form'),
    taken(
      'with a key of small order, which signs nothing',
      sign({ keys: [...listedKeys, { ...good, x: encodeBase64url(Point.ZERO.toBytes()) }] }),
    ),
    taken(
      'with a key of mixed order, which signs nothing',
      sign({ keys: [...listedKeys, { ...good, x: mixedOrderX }] }),
    ),
    refused(
      'signed by a key of small order alone',
      sign({ keys: [listed(homeKey, { x: encodeBase64url(Point.ZERO.toBytes()) })] }, homeKey),
      'key_small_order',
    ),
    taken('with 150 keys', sign({ keys: manyKeys(150) }), [kid, second]),
    refused('with 151 keys', sign({ keys: manyKeys(151) }), 'too_many_keys'),
    with_('with a key of 31 bytes', { ...good, x: encodeBase64url(new Uint8Array(31)) }, 'key_length'),
    with_('with the secret of a key', { ...good, d: good.x }, 'key_form'),
    with_('with a key of another kind', { ...good, kty: 'EC' }, 'key_form'),
    with_('with a key that is a text', 'key', 'key_form'),
    with_('with uses in a text', { ...good, uses: 'record' }, 'key_listed_badly'),
    with_('with `use` in place of `uses`', { ...good, uses: undefined, use: ['record'] }, 'key_listed_badly'),
    with_('with a status that nobody knows', { ...good, status: 'valid' }, 'key_listed_badly'),
    with_('with a key without not_before', { ...good, not_before: undefined }, 'key_listed_badly'),
    with_('with not_after that is no time', { ...good, not_after: 'soon' }, 'key_listed_badly'),
    with_(
      'with revoked_at that is no time',
      { ...good, status: 'revoked', revoked_at: '2026' },
      'key_listed_badly',
    ),
    refused('without keys', sign({ keys: undefined }), 'key_form'),
    refused('with keys in an object', sign({ keys: { [kid]: listed(homeKey) } }), 'key_form'),
  ];
}

function timeCases(): SignedCase[] {
  const times = (issued_at: unknown, valid_until: unknown) => sign({ issued_at, valid_until });
  const issued = '2026-01-15T10:00:00.000Z';
  return [
    taken('a nanosecond left', times(issued, '2026-01-15T12:00:00.000000001Z')),
    refused('valid until now', times(issued, '2026-01-15T12:00:00Z'), 'expired'),
    refused('lapsed', times(issued, '2026-01-15T11:00:00Z'), 'expired'),
    refused('without valid_until', times(issued, undefined), 'expired'),
    refused('valid_until null', times(issued, null), 'expired'),
    refused('without issued_at', times(undefined, '2026-01-16T10:00:00Z'), 'issued_at'),
    taken('valid for 7 days', times(issued, '2026-01-22T10:00:00Z')),
    refused(
      'valid for 7 days and a nanosecond',
      times(issued, '2026-01-22T10:00:00.000000001Z'),
      'too_long_ahead',
    ),
    taken('issued 5 minutes ahead', times('2026-01-15T12:05:00Z', '2026-01-16T10:00:00Z')),
    refused(
      'issued 5 minutes and a nanosecond ahead',
      times('2026-01-15T12:05:00.000000001Z', '2026-01-16T10:00:00Z'),
      'too_long_ahead',
    ),
    taken(
      'signed by a key that counts from the moment of issue, by a clock ahead of the reader’s',
      sign(
        {
          issued_at: '2026-01-15T12:01:00Z',
          keys: [...listedKeys, listed(strangerKey, { not_before: '2026-01-15T12:01:00Z' })],
        },
        strangerKey,
      ),
      [strangerKey.pair.kid],
    ),
    refused(
      'signed by an active key after its not_after',
      sign({ keys: [listed(homeKey, { not_after: '2026-01-15T11:00:00Z' })] }, homeKey),
      'key_expired',
    ),
  ];
}
