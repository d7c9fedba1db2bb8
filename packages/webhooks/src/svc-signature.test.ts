import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { signSvc } from './svc-signature.ts';

test('is the HMAC of the time and the body, as other programs compute it', () => {
  // printf '%s' '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac 'whsec_c2VjcmV0'
  expect(signSvc(['whsec_c2VjcmV0'], 1_700_000_000, '{"id":"evt_1"}')).toBe(
    't=1700000000,v1=ff2a8a6be88730a756b563bd63f1d57e249b0384c4dbec48347b8aa87c137d44',
  );
});

test('has one signature per secret, the current one first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.string({ unit: 'grapheme' }),
      (secrets, at, body) => {
        const [moment, ...signatures] = signSvc(secrets, at, body).split(',');
        expect(moment).toBe(`t=${at}`);
        const bytes = Buffer.concat([Buffer.from(`${at}.`), Buffer.from(body)]);
        expect(signatures).toEqual(
          secrets.map(
            (secret) => `v1=${createHmac('sha256', Buffer.from(secret)).update(bytes).digest('hex')}`,
          ),
        );
      },
    ),
  );
});
