import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { readStandardSecret, sameText, signStandard } from './standard-signature.ts';

const secretBytes = fc.uint8Array({ minLength: 24, maxLength: 64 });
const printed = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;

describe('a secret', () => {
  test('is parsed as printed', () => {
    fc.assert(
      fc.property(secretBytes, (bytes) => {
        expect(readStandardSecret(printed(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each([
    '',
    'whsec_',
    'whsec_!!!!',
    printed(new Uint8Array(23)),
    printed(new Uint8Array(65)),
    printed(new Uint8Array(24)).slice('whsec_'.length),
    printed(new Uint8Array(25)).replaceAll('=', ''),
    `${printed(new Uint8Array(24))}\n`,
    ` ${printed(new Uint8Array(24))}`,
    printed(new Uint8Array(32).fill(255)).replaceAll('/', '_'),
    `WHSEC_${printed(new Uint8Array(24)).slice(6)}`,
  ])('is not %j', (text) => {
    expect(readStandardSecret(text)).toBeNull();
  });
});

test('signatures verify in other libraries, each with its own secret', () => {
  fc.assert(
    fc.property(fc.array(secretBytes, { minLength: 1, maxLength: 2 }), fc.jsonValue(), (secrets, value) => {
      const body = JSON.stringify({ value });
      const unixSeconds = Math.floor(Date.now() / 1_000);
      const id = 'evt_0190aa';
      const words = signStandard(secrets, { id, unixSeconds, body });
      expect(words).toHaveLength(secrets.length);
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(unixSeconds),
        'webhook-signature': [...words, 'v1a,other'].join(' '),
      };
      for (const secret of secrets) {
        expect(new Standard(printed(secret)).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Svix(printed(secret)).verify(body, headers)).not.toThrow();
        expect(() => new Svix(printed(secret)).verify(`${body} `, headers)).toThrow();
        expect(() => new Standard(printed(secret)).verify(`${body} `, headers)).toThrow();
      }
    }),
  );
});

test('texts are equal when every byte is', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(sameText(one, other)).toBe(one === other);
      expect(sameText(one, one)).toBe(true);
    }),
  );
});
