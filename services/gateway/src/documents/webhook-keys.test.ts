import { expect, test } from '@jest/globals';
import { webhookKeys } from './webhook-keys.ts';

test('lists the keys that vouch for webhooks: active and retired ones, in the form of RFC 7517', () => {
  const key = (kid: string, status: string, uses = ['record', 'request']) => ({
    kid,
    x: `x-${kid}`,
    status,
    uses,
  });
  const keys = [
    key('a', 'active'),
    key('b', 'retired'),
    key('c', 'next'),
    key('d', 'revoked'),
    key('e', 'active', ['recovery']),
  ];
  const shown = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' };
  expect(JSON.parse(webhookKeys(JSON.stringify({ keys })))).toEqual({
    keys: [
      { ...shown, kid: 'a', x: 'x-a' },
      { ...shown, kid: 'b', x: 'x-b' },
    ],
  });
});
