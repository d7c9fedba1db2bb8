import { digest, goodCoSignatures, type ListedKey, verifyRecord } from '@hearth/signing';
import type { AgreementCase } from './agreement-vectors.ts';

// Reads agreements with our verifier, as docs/protocol/agreements.md specifies.

interface Record {
  [member: string]: unknown;
  type?: unknown;
  subject?: unknown;
  agreement: { [member: string]: unknown; terms: string; terms_digest: string };
  sides: { address: string; signature?: unknown }[];
}

interface File {
  home: string;
  now: string;
  keys: ListedKey[];
}

/** Returns a reader's verdict on an agreement, in the form of a case. */
export function answerAgreement(
  { home, now: at, keys }: File,
  { record: given, settlement, cards }: AgreementCase,
): Pick<AgreementCase, 'valid' | 'own' | 'co_signed'> {
  const now = Date.parse(at);
  const record = given as Record;
  const good = (object: unknown) =>
    verifyRecord(object, { expectedType: 'svc-record+jws', home, keys, now }).valid;
  const { terms, terms_digest } = record.agreement;
  if (!good(record) || record.type !== 'agreement' || terms_digest !== digest(Buffer.from(terms)))
    return { valid: false };
  if (settlement !== undefined) {
    const second = settlement as Record;
    const { signature, co_signatures, ...first } = record;
    const follows = second['prev'] === digest(first) && same(second.subject, record.subject);
    if (!good(second) || second.type !== 'agreement.settled' || !follows) return { valid: false };
  }
  const signing = signingOf(record);
  const sides = record.sides.map((side) => ({ ...side, keys: keysOf(cards[side.address]) }));
  const own = sides.filter(
    ({ signature, keys: theirs }) =>
      signature !== undefined &&
      verifyRecord({ ...signing, signature }, { expectedType: 'svc-key+jws', home, keys: theirs, now }).valid,
  );
  const coSigned = sides.filter(
    ({ keys: theirs }) =>
      goodCoSignatures(record, { expectedType: 'svc-record+jws', home, keys: theirs, now }).length > 0,
  );
  const addresses = (some: typeof sides) => some.map(({ address }) => address);
  return { valid: true, own: addresses(own), co_signed: addresses(coSigned) };
}

/** Returns the object that a side signs with its own key, built from the record alone. */
function signingOf({ home, agreement, sides }: Record): object {
  const { id, title, terms_digest, needs_owners, due_at, created_at } = agreement;
  return {
    purpose: 'sign_agreement',
    ...{ home, agreement: id, title, terms_digest },
    sides: sides.map(({ address }) => address),
    needs_owners,
    ...(due_at !== undefined && { due_at }),
    issued_at: created_at,
  };
}

/** Lists a card's keys as a home's document would. */
const keysOf = (card: AgreementCase['cards'][string] = []): ListedKey[] =>
  card.map(({ kid, x, from, until }) => ({
    ...{ kid, x, kty: 'OKP', crv: 'Ed25519', uses: ['record'], not_before: from },
    ...(until === undefined ? { status: 'active' } : { status: 'retired', not_after: until }),
  }));

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
