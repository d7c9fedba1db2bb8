import { digest, exportPublicJwk, signRecord } from '@hearth/signing';
import { withFlippedBit } from './forge.ts';
import { home, homeKey, issuedAt, robinsKey, type VectorKey, wrensKey } from './material.ts';

/** An agreement as its sides show it to a reader, with the expected findings. */
export interface AgreementCase {
  name: string;
  /** The record of an agreement signed by all sides. */
  record: unknown;
  /** The second record, after all sides said that it was kept. */
  settlement?: unknown;
  /** The keys on each side's card, by address. */
  cards: Record<string, { kid: string; x: string; from: string; until?: string }[]>;
  /** True if the record is valid by itself, and so is the settlement, which names it in `prev`. */
  valid: boolean;
  /** Addresses of the sides that signed the terms with their own key. */
  own?: string[];
  /** Addresses of the sides whose own key signed the record itself, in `co_signatures`. */
  co_signed?: string[];
}

const typ = 'svc-record+jws';
const [robin, wren] = ['@ana.ai-robin', '@free-wren1.ai-wren'];
const createdAt = '2026-01-12T08:00:00.000Z';
const id = 'agr_019bc0f0a1b27c3d8e4f5a6b7c8d9e11';
const terms = 'Wren translates the minutes of May.\nRobin reads “all” of them. €';

const onCard = (key: VectorKey, but: object = {}) => {
  const { kid, x } = exportPublicJwk(key.pair);
  return { kid, x, from: '2026-01-10T00:00:00.000Z', ...but };
};
const cards = { [robin]: [onCard(robinsKey)], [wren]: [onCard(wrensKey)] };

interface Body {
  agreement: Record<string, unknown>;
  sides: Record<string, unknown>[];
}

const agreement = {
  id,
  title: 'Translate the minutes',
  terms,
  terms_digest: digestOfText(terms),
  by: robin,
  created_at: createdAt,
  sign_by: '2026-01-19T08:00:00.000Z',
  due_at: '2026-02-10T00:00:00.000Z',
  needs_owners: false,
};
const side = (address: string, name: string, more: object = {}) => ({
  ...{
    address,
    name,
    name_verified: address === robin,
    owner_status: address === robin ? 'claimed' : 'unclaimed',
  },
  signed_at: createdAt,
  ...more,
});

function digestOfText(text: string): string {
  return digest(Buffer.from(text));
}

/** Rebuilds the object that an AI signs with its own key from the record. */
function signingOf({ agreement: about, sides }: Body): Record<string, unknown> {
  const { due_at } = about;
  return {
    purpose: 'sign_agreement',
    home,
    agreement: about['id'],
    title: about['title'],
    terms_digest: about['terms_digest'],
    sides: sides.map(({ address }) => address),
    needs_owners: about['needs_owners'],
    ...(due_at !== undefined && { due_at }),
    issued_at: about['created_at'],
  };
}

const plain: Body = { agreement, sides: [side(robin, 'Robin'), side(wren, 'Wren 🪶')] };
const byKey = (key: VectorKey, over: Record<string, unknown> = signingOf(plain)) =>
  signRecord(over, { key: key.pair, typ: 'svc-key+jws' }).signature;

/** Returns the record with these sides' signatures. */
function ready(signatures: Record<string, unknown> = {}, of: Body = plain): Record<string, unknown> {
  return {
    v: 1,
    type: 'agreement',
    id: 'rec_019bc0f0a1b27c3d8e4f5a6b7c8d9e12',
    home,
    issued_at: issuedAt,
    subject: { kind: 'agreement', id },
    agreement: of.agreement,
    sides: of.sides.map((one) => {
      const signature = signatures[one['address'] as string];
      return { ...one, ...(signature !== undefined && { signature }) };
    }),
    status: 'ready',
    ready_at: issuedAt,
  };
}

function settled(prev: string): Record<string, unknown> {
  return {
    v: 1,
    type: 'agreement.settled',
    id: 'rec_019bc0f0a1b27c3d8e4f5a6b7c8d9e13',
    home,
    issued_at: '2026-01-15T11:00:00.000Z',
    subject: { kind: 'agreement', id },
    prev,
    agreement: { id, title: agreement.title, terms_digest: agreement.terms_digest },
    sides: [
      { address: robin, settled: 'kept', at: '2026-01-15T10:30:00.000Z' },
      { address: wren, settled: 'kept', note: 'On the 9th', at: '2026-01-15T11:00:00.000Z' },
    ],
    status: 'settled',
    settled_at: '2026-01-15T11:00:00.000Z',
  };
}

const byHome = (record: Record<string, unknown>) => signRecord(record, { key: homeKey.pair, typ });

export function agreementCases(): AgreementCase[] {
  const both = ready({ [robin]: byKey(robinsKey), [wren]: byKey(wrensKey) });
  const alone = ready({ [wren]: byKey(wrensKey) });
  const none = ready();
  const coOf = (key: VectorKey, record: Record<string, unknown>) =>
    signRecord(record, { key: key.pair, typ }).signature;
  const good = (name: string, record: Record<string, unknown>, own: string[], more: object = {}) => ({
    ...{ name, record: byHome(record), cards, valid: true, own, co_signed: [] },
    ...more,
  });
  const bad = (name: string, record: unknown, more: object = {}): AgreementCase => ({
    ...{ name, record, cards, valid: false },
    ...more,
  });
  const minor = { ...plain, sides: [plain.sides[0]!, { ...plain.sides[1], address: 'under-18', name: '' }] };
  const { due_at: _, ...endless } = agreement;
  const open = { ...plain, agreement: { ...endless, needs_owners: true } };
  const flipped = { ...byKey(wrensKey), signature: withFlippedBit(byKey(wrensKey).signature, 3) };
  const other = signingOf({ ...plain, agreement: { ...agreement, title: 'Translate all minutes' } });
  return [
    good('signed by the home alone', none, []),
    good('a side signed the terms with a key of its own', alone, [wren]),
    good('both sides did', both, [robin, wren]),
    good(
      'with owners to approve, and without a time to be done by',
      ready({ [wren]: byKey(wrensKey, signingOf(open)) }, open),
      [wren],
    ),
    good(
      'a side is an AI of a person under 18, which the record does not name',
      ready({ [robin]: byKey(robinsKey, signingOf(minor)) }, minor),
      [robin],
    ),
    good('the signature of another side', ready({ [wren]: byKey(robinsKey) }), []),
    good('a signature over another title', ready({ [wren]: byKey(wrensKey, other) }), []),
    good(
      'a signature over other terms',
      ready({ [wren]: byKey(wrensKey, { ...signingOf(plain), terms_digest: digestOfText('Other') }) }),
      [],
    ),
    good(
      'a signature over the sides in another order',
      ready({ [wren]: byKey(wrensKey, { ...signingOf(plain), sides: [wren, robin] }) }),
      [],
    ),
    good(
      'a signature for another home',
      ready({ [wren]: byKey(wrensKey, { ...signingOf(plain), home: 'other.example' }) }),
      [],
    ),
    good(
      'a signature of the type of records',
      ready({ [wren]: signRecord(signingOf(plain), { key: wrensKey.pair, typ }).signature }),
      [],
    ),
    good('a signature that does not fit', ready({ [wren]: flipped }), []),
    good('by a key that the card does not list', alone, [], {
      cards: { [robin]: [onCard(robinsKey)], [wren]: [] },
    }),
    good('by a key that came onto the card later', alone, [], {
      cards: { ...cards, [wren]: [onCard(wrensKey, { from: '2026-01-13T00:00:00.000Z' })] },
    }),
    good('by a key that had left the card before', alone, [], {
      cards: { ...cards, [wren]: [onCard(wrensKey, { until: '2026-01-11T00:00:00.000Z' })] },
    }),
    good('a side signed the record itself, in co_signatures', none, [], {
      record: { ...byHome(none), co_signatures: [coOf(wrensKey, none)] },
      co_signed: [wren],
    }),
    good('both did, and the terms before', both, [robin, wren], {
      record: { ...byHome(both), co_signatures: [coOf(robinsKey, both), 7, coOf(wrensKey, both)] },
      co_signed: [robin, wren],
    }),
    good('a co-signature over another record', none, [], {
      record: { ...byHome(none), co_signatures: [coOf(wrensKey, both)] },
    }),
    good('the signature over the terms in co_signatures, where it is none', none, [], {
      record: { ...byHome(none), co_signatures: [byKey(wrensKey)] },
    }),
    good('with the second record, which names the first', both, [robin, wren], {
      settlement: byHome(settled(digest(both))),
    }),
    bad('a second record that names another first one', byHome(both), {
      settlement: byHome(settled(digest(none))),
    }),
    bad('a second record of another agreement', byHome(none), {
      settlement: byHome({
        ...settled(digest(none)),
        subject: { kind: 'agreement', id: id.replace('11', '12') },
      }),
    }),
    bad(
      'a digest that is not that of the terms',
      byHome(ready({}, { ...plain, agreement: { ...agreement, terms: 'Other' } })),
    ),
    bad('terms changed after the home signed', {
      ...byHome(none),
      agreement: { ...agreement, terms: 'Other' },
    }),
    bad('a side added after the home signed', {
      ...byHome(none),
      sides: [...plain.sides, side('@bea.ai-jay', 'Jay')],
    }),
    bad('signed by a side in the place of the home', { ...none, signature: coOf(wrensKey, none) }),
    bad('a record of another type', byHome({ ...none, type: 'meeting' })),
  ];
}
