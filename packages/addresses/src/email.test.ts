import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseEmail } from './email.ts';

describe('an email address', () => {
  test.each([
    ['kim@example.com', 'kim@example.com'],
    [' Kim@Example.COM ', 'kim@example.com'],
    ['kim+asks@mail.example.co.uk', 'kim+asks@mail.example.co.uk'],
    ['kim@bücher.example', 'kim@xn--bcher-kva.example'],
    ['jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
    ['o\u2019brien@example.com', 'o\u2019brien@example.com'],
    ['kim＠example．com', 'kim@example.com'],
    ['ｋｉｍ@example.com', 'kim@example.com'],
    ['\u200bkim@example.com\u200f', 'kim@example.com'],
    ['kim@example。com', 'kim@example.com'],
    ['', null],
    ['kim@localhost', null],
    ['kim@[::1]', null],
    ['kim@-example.com', null],
    ['kim@exa mple.com', null],
    ['kim@example.com/x', null],
    ['a b@example.com', null],
    ['kim@example.com:25', null],
    ['kim@@example.com', null],
    ['kim', null],
    ['@example.com', null],
    ['kim@', null],
    ['kim@example.com\nbcc: all@example.com', null],
    ['"kim"@example.com', null],
    ['a,b@example.com', null],
    ['kim@127.0.0.1', null],
    [`${'k'.repeat(65)}@example.com`, null],
    [`kim@${'e'.repeat(250)}.com`, null],
  ])('%p parses as %p', (given, expected) => expect(parseEmail(given)).toBe(expected));

  test('parses the same a second time and contains nothing that could end a header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), (given) => {
        const read = parseEmail(given);
        if (read === null) return;
        expect(parseEmail(read)).toBe(read);
        expect(read).not.toMatch(/[\s<>,;"\p{Cc}]/u);
      }),
    );
  });
});
