import { describe, expect, test } from '@jest/globals';
import { refuseToSign, type SignDemand } from './sign-rules.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const signer = { home: 'home.example', now, keyNotBefore: now - 60_000 };

const card = { v: 1, type: 'card', home: 'home.example', issued_at: '2026-03-01T12:00:00.000Z' };
const demand = (changes: Partial<SignDemand> = {}): SignDemand => ({
  service: 'identity',
  typ: 'svc-card+jws',
  record: card,
  issuedAt: now,
  ...changes,
});

describe('documents that the home signs', () => {
  test('include a card of this home for identity', () => {
    expect(refuseToSign(demand(), signer)).toBeNull();
  });

  test.each([
    ['a service without its own records', demand({ service: 'messages' })],
    ['a service with a longer name', demand({ service: 'identity2' })],
    ['a card as a record', demand({ typ: 'svc-record+jws' })],
    ['a card as a home document', demand({ typ: 'svc-home+jws' })],
    ['an unknown typ', demand({ typ: '' })],
    ['another type of record', demand({ record: { ...card, type: 'approval.answer' } })],
    ['no type', demand({ record: { ...card, type: undefined } })],
    ['a type that is a list', demand({ record: { ...card, type: ['card'] } })],
  ])('refuses %s as forbidden', (_, wrong) => {
    expect(refuseToSign(wrong, signer)?.kind).toBe('forbidden');
  });

  test.each([
    ['another version', demand({ record: { ...card, v: 2 } }), /^v:/],
    ['another home', demand({ record: { ...card, home: 'other.example' } }), /^home:/],
    ['no home', demand({ record: { v: 1, type: 'card' } }), /^home:/],
    ['an existing signature', demand({ record: { ...card, signature: null } }), /^signature:/],
    ['existing co-signatures', demand({ record: { ...card, co_signatures: [] } }), /^co_signatures:/],
    ['no time', demand({ issuedAt: null }), /^issued_at:/],
    ['a time in the past', demand({ issuedAt: now - 300_001 }), /present time/],
    ['a time in the future', demand({ issuedAt: now + 300_001 }), /present time/],
  ])('refuses %s', (_, wrong, words) => {
    const refusal = refuseToSign(wrong, signer);
    expect(refusal?.kind).toBe('bad_request');
    expect(refusal?.message).toMatch(words);
  });

  test('cannot be signed while the clock is before the key’s start', () => {
    const refusal = refuseToSign(demand({ issuedAt: now - 60_001 }), signer);
    expect([refusal?.kind, refusal?.message]).toEqual([
      'unavailable',
      expect.stringMatching(/cannot sign: its clock stands before \d{4}-/),
    ]);
  });

  test.each([-60_000, 0, 300_000])('tolerate a clock that is %i ms off', (difference) => {
    expect(refuseToSign(demand({ issuedAt: now + difference }), signer)).toBeNull();
  });
});
