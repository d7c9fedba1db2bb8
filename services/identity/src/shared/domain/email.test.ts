import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEmail } from './email.ts';

describe('an e-mail address', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+home@Example.COM ', 'ada.lovelace+home@example.com'],
    ['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example'],
    ['jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
    ['o\u2019brien@example.co.uk', 'o\u2019brien@example.co.uk'],
  ])('%j is kept as %j', (given, kept) => {
    expect(readEmail(given)).toBe(kept);
    expect(readEmail(kept)).toBe(kept);
  });

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[::1]',
    'a b@example.com',
    'ada@example.com,bob@example.com',
    'ada@example.com\nBcc: bob@example.com',
    '"ada"@example.com',
    'ada@exa mple.com',
    'ada@example.com/x',
    'ada@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('%j is none', (given) => {
    expect(() => readEmail(given)).toThrow('email: must be an e-mail address');
  });

  test('whatever is taken stays as it is, and holds nothing that could end a header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), (given) => {
        try {
          const kept = readEmail(given);
          return readEmail(kept) === kept && !/[\s<>,;"\p{Cc}]/u.test(kept) && kept.length <= 254;
        } catch (error) {
          return isHearthError(error) && error.kind === 'bad_request';
        }
      }),
      { numRuns: 500 },
    );
  });
});
