import { exportPublicJwk, keyPairFromSeed } from './keys.ts';
import { parseStrictJson } from './strict-json.ts';

/** The keys and the record that the tests of records share. */
export const key = keyPairFromSeed(new Uint8Array(32).fill(1));
export const otherKey = keyPairFromSeed(new Uint8Array(32).fill(2));
export const keys = new Map([key, otherKey].map((pair) => [pair.kid, exportPublicJwk(pair)]));
export const typ = 'svc-record+jws';
export const options = { expectedType: typ, findKey: (kid: string) => keys.get(kid), at: null } as const;

export const record = {
  v: 1,
  type: 'approval.answer',
  id: 'rec_0190f3a1c2d34e5f8a9b0c1d2e3f4a5b',
  home: 'home.example',
  issued_at: '2026-01-02T03:04:05Z',
  subject: { kind: 'approval', id: 'apr_0190f3a1c2d34e5f8a9b0c1d2e3f4a5c' },
  answers: [{ to: '@bea', decision: 'approved', note: 'Gern, bis Freitag! €' }],
};

/** The object as another home gets it: through its JSON text. */
export function sent<Value>(value: Value): Value {
  return parseStrictJson(JSON.stringify(value)) as Value;
}
