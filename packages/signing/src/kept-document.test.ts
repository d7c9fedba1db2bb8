import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyStatuses } from './home-document.ts';
import { heldKeys, type KeptDocument, type Received, receiveDocument } from './kept-document.ts';
import type { KeyStatus, ListedKey } from './key-validity.ts';
import { exportPublicJwk, keyPairFromSeed } from './keys.ts';
import { signRecord } from './sign-record.ts';

const home = 'other.example';
const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.parse('2026-03-01T12:00:00Z');
const pairs = [1, 2, 3].map((byte) => keyPairFromSeed(Buffer.alloc(32, byte)));
const uses = [['record', 'request'], ['record', 'request'], ['recovery']];

const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant<KeyStatus | 'absent'>('active') },
  { weight: 4, arbitrary: fc.constantFrom<KeyStatus | 'absent'>(...keyStatuses, 'absent') },
);

/** A document as written by anyone with some of the keys; everything else is arbitrary. */
const step = fc.record({
  hours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(170)),
  statuses: fc.tuple(...pairs.map(() => status)),
  ends: fc.tuple(...pairs.map(() => fc.option(fc.integer({ min: 1, max: 400 }), { freq: 1 }))),
  by: fc.subarray([0, 1, 2], { minLength: 1 }),
  seq: fc.integer({ min: -2, max: 3 }),
  age: fc.constantFrom(0, 0, 0, 1, 30),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function documentOf({ statuses, ends, by, seq, age }: Step, now: number): object {
  const keys = statuses.flatMap((status, index): ListedKey[] => {
    if (status === 'absent') return [];
    const end = ends[index] ?? null;
    return [
      {
        ...exportPublicJwk(pairs[index]!),
        uses: uses[index]!,
        status,
        not_before: new Date(begin - day).toISOString(),
        ...(end !== null && { not_after: new Date(begin + end * hour).toISOString() }),
        ...(status === 'revoked' && { revoked_at: new Date(begin).toISOString() }),
      },
    ];
  });
  const issued = now - age * hour;
  const content = {
    v: 1,
    home,
    doc_seq: Math.max(0, Math.floor(issued / 1_000) + seq),
    issued_at: new Date(issued).toISOString(),
    valid_until: new Date(issued + day).toISOString(),
    keys,
  };
  return by.reduce<object>(
    (signed, index) => signRecord(signed, { key: pairs[index]!, typ: 'svc-home+jws' }),
    content,
  );
}

/** Yields the reception of each document with the state before and after it. */
function* receptions(
  steps: readonly Step[],
): Generator<{ before: KeptDocument | null; now: number } & Received> {
  let kept: KeptDocument | null = null;
  let now = begin;
  for (const one of steps) {
    now += one.hours * hour;
    const before: KeptDocument | null = kept;
    const received = receiveDocument(before, documentOf(one, now), { home, now });
    kept = JSON.parse(JSON.stringify(received.kept)) as KeptDocument | null;
    yield { ...received, kept, before, now };
  }
}

const rank = ({ status }: ListedKey) => keyStatuses.indexOf(status as KeyStatus);
const endOf = ({ not_after: end }: ListedKey) => (end == null ? Number.POSITIVE_INFINITY : Date.parse(end));
const histories = fc.array(step, { minLength: 2, maxLength: 8 });

describe('for any sequence of documents of one incarnation of a home', () => {
  test('keys never disappear, return, change or live longer, and numbers and times never decrease', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        for (const { before, kept, verdict } of receptions(steps)) {
          if (before === null || verdict === 'began_anew') continue;
          expect(kept!.document.doc_seq).toBeGreaterThanOrEqual(before.document.doc_seq);
          expect(Date.parse(kept!.document.issued_at)).toBeGreaterThanOrEqual(
            Date.parse(before.document.issued_at),
          );
          const after = heldKeys(kept!);
          for (const key of heldKeys(before)) {
            const now = after.find(({ kid }) => kid === key.kid)!;
            expect({ ...now, status: 0, not_after: 0, revoked_at: 0 }).toEqual({
              ...key,
              status: 0,
              not_after: 0,
              revoked_at: 0,
            });
            expect(rank(now)).toBeGreaterThanOrEqual(rank(key));
            expect(endOf(now)).toBeLessThanOrEqual(endOf(key));
          }
        }
      }),
    );
  });

  test('an accepted document is signed by a key of the previous one: active, recovery, or next after a day', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        let index = 0;
        for (const { before, kept, verdict, now } of receptions(steps)) {
          const { by } = steps[index++]!;
          if (before === null || verdict !== 'accepted') continue;
          const known = heldKeys(before).filter(
            ({ kid, status }) =>
              status === 'active' || (status === 'next' && now - before.nextSince[kid]! >= day),
          );
          const revoked = heldKeys(kept!).filter(({ status }) => status === 'revoked');
          const vouching = by
            .map((one) => pairs[one]!.kid)
            .filter((kid) => known.some((key) => key.kid === kid) && !revoked.some((key) => key.kid === kid));
          expect(vouching).not.toEqual([]);
        }
      }),
    );
  });

  test('a refused document changes nothing, and a new incarnation is accepted only after seven days', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        for (const { before, kept, verdict, now } of receptions(steps)) {
          if (verdict === 'refused') expect(kept).toEqual(before);
          if (verdict === 'another_home') {
            expect(kept!.document).toEqual(before!.document);
            expect(now - kept!.waiting!.since).toBeLessThan(7 * day);
          }
          if (verdict === 'began_anew') expect(now - before!.waiting!.since).toBeGreaterThanOrEqual(7 * day);
        }
      }),
    );
  });

  test('a key revoked by its own document is no longer valid', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        for (const { before, kept, verdict } of receptions(steps)) {
          if (verdict !== 'key_revoked') continue;
          expect(kept!.document).toEqual(before!.document);
          expect(kept!.revoked.length).toBeGreaterThan(before!.revoked.length);
          expect(kept!.waiting).not.toBeNull();
        }
      }),
    );
  });
});

test('the generated histories reach every verdict', () => {
  const seen = new Set<string>();
  const sample = fc.sample(histories, { numRuns: 500, seed: 7 });
  for (const steps of sample) for (const { verdict } of receptions(steps)) seen.add(verdict);
  expect([...seen].sort()).toEqual(['accepted', 'another_home', 'began_anew', 'key_revoked', 'refused']);
});
