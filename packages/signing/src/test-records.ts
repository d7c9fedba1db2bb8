import type { ListedKey } from './key-validity.ts';
import { exportPublicJwk, keyPairFromSeed } from './keys.ts';
import { parseStrictJson } from './strict-json.ts';

/** The keys and the record that tests of records share. */
export const key = keyPairFromSeed(new Uint8Array(32).fill(1));
export const otherKey = keyPairFromSeed(new Uint8Array(32).fill(2));
export const keys = [key, otherKey].map(
  (pair): ListedKey => ({
    ...exportPublicJwk(pair),
    uses: ['record', 'request'],
    status: 'active',
    not_before: '2026-01-01T00:00:00Z',
  }),
);
export const typ = 'svc-record+jws';
export const options = {
  expectedType: typ,
  home: 'home.example',
  keys,
  now: Date.parse('2026-01-02T04:00:00Z'),
} as const;

export const record = {
  v: 1,
  type: 'approval.answer',
  id: 'rec_0190f3a1c2d34e5f8a9b0c1d2e3f4a5b',
  home: 'home.example',
  issued_at: '2026-01-02T03:04:05Z',
  subject: { kind: 'approval', id: 'apr_0190f3a1c2d34e5f8a9b0c1d2e3f4a5c' },
  answers: [{ to: '@bea', decision: 'approved', note: 'Gern, bis Freitag! €' }],
};

/** Returns the object as another home receives it, parsed from its JSON text. */
export function sent<Value>(value: Value): Value {
  return parseStrictJson(JSON.stringify(value)) as Value;
}
