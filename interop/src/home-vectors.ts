import { signRecord } from '@hearth/signing';
import { signUnder, withFlippedBit } from './forge.ts';
import type { Reason, SignedCase } from './format.ts';
import { homeDocument, homeKey, nextKey, retiredKey, strangerKey } from './material.ts';

const typ = 'svc-home+jws';

/** The signatures of home documents: one good one is enough, and every good one is named. */
export function homeDocumentCases(): SignedCase[] {
  const sign = (document: object, key: typeof homeKey) => signRecord(document, { key: key.pair, typ });
  const one = sign(homeDocument, homeKey);
  const two = sign(one, strangerKey);
  const [first, stranger] = two.signatures as [(typeof two.signatures)[0], (typeof two.signatures)[0]];
  const broken = { ...first, signature: withFlippedBit(first.signature, 9) };
  const old = sign({ ...homeDocument, issued_at: '2026-01-02T00:00:00Z' }, homeKey);
  const during = sign({ ...homeDocument, issued_at: '2026-03-02T00:00:00Z' }, homeKey);
  const valid = (name: string, object: unknown, kids: string[]): SignedCase => ({
    name,
    expected_type: typ,
    object,
    valid: true,
    kids,
  });
  const refused = (name: string, object: unknown, reason: Reason): SignedCase => ({
    name,
    expected_type: typ,
    object,
    valid: false,
    reason,
  });
  const { kid } = homeKey.pair;
  return [
    valid('signed by the active key', one, [kid]),
    valid('signed by an unknown key as well', two, [kid]),
    valid('signed by an unknown key before that', { ...two, signatures: [stranger, first] }, [kid]),
    valid('a broken signature beside a good one', { ...one, signatures: [broken, first] }, [kid]),
    valid('signed by two keys, one of them not valid yet', sign(one, nextKey), [kid]),
    valid('signed by two keys while both are valid', sign(during, nextKey), [kid, nextKey.pair.kid]),
    valid('signed by the old key and the new one', sign(old, retiredKey), [kid, retiredKey.pair.kid]),
    refused('signed by an unknown key alone', sign(homeDocument, strangerKey), 'unknown_kid'),
    refused('changed after signing', { ...one, doc_seq: 6 }, 'signature_mismatch'),
    refused('the one signature broken', { ...one, signatures: [broken] }, 'signature_mismatch'),
    refused('without signatures', homeDocument, 'no_signature'),
    refused('with an empty list', { ...homeDocument, signatures: [] }, 'no_signature'),
    refused(
      'with one signature that is not in a list',
      { ...homeDocument, signatures: first },
      'no_signature',
    ),
    refused('with nine signatures', { ...one, signatures: new Array(9).fill(first) }, 'too_many_signatures'),
    refused(
      'signed as a card',
      {
        ...homeDocument,
        signatures: [signUnder(homeKey, { alg: 'EdDSA', kid, typ: 'svc-card+jws' }, homeDocument)],
      },
      'wrong_typ',
    ),
  ];
}
