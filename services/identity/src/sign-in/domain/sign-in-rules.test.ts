import { describe, expect, test } from '@jest/globals';
import { checkOldEnough, codeLength, newCode, readCode, showCode } from './sign-in-rules.ts';

const drawing = (...numbers: number[]) => {
  const left = [...numbers];
  return (count: number) => {
    const bytes = Buffer.alloc(count);
    bytes.writeUInt32BE(left.shift()!);
    return bytes;
  };
};

describe('six digits', () => {
  test.each([
    [0, '000000'],
    [42, '000042'],
    [1_999_999, '999999'],
    [4_293_999_999, '999999'],
  ])('of the number %i are %s', (drawn, code) => {
    expect(newCode(drawing(drawn), 6)).toBe(code);
  });

  test('are drawn again for numbers that would bias the result', () => {
    expect(newCode(drawing(4_294_000_000, 4_294_967_295, 7), 6)).toBe('000007');
  });

  test.each([
    '123456',
    ' 123 456 ',
    '123-456',
    '123\u00a0456\n',
    '１２３４５６',
    '١٢٣ ٤٥٦',
    '१२३४५६',
    '123–456',
    '\u200e123.456\u200f',
    '“123456”',
  ])('typed as %j are accepted', (typed) => {
    expect(readCode(typed)).toBe('123456');
  });
});

test.each(['', '12345', '1234567', '123456789', 'abcdef', '12345a', 'ada@example.com', '0x1234'])(
  '%j is no code',
  (typed) => {
    expect(() => readCode(typed)).toThrow('must be the 6 or 8 digits of the email');
  },
);

describe('codes of an address under attack', () => {
  test.each([
    [0, 6],
    [19, 6],
    [20, 8],
    [10_000, 8],
  ])('after %i wrong tries have %i digits', (wrongTries, length) => {
    expect(codeLength(wrongTries)).toBe(length);
  });

  test('with eight digits are generated and shown like those with six', () => {
    expect(newCode(drawing(4_200_000_000, 99_999_999), 8)).toBe('99999999');
    expect(newCode(drawing(42), 8)).toBe('00000042');
    expect([showCode('123456'), showCode('12345678')]).toEqual(['123 456', '1234 5678']);
    expect(readCode('1234 5678')).toBe('12345678');
  });
});

describe('the age at sign-in', () => {
  test.each([
    [12, 13, false],
    [13, 13, true],
    [15, 16, false],
    [16, 16, true],
    [40, 16, true],
  ])('%i years with a minimum of %i is enough: %s', (leastAge, consentAge, may) => {
    const check = () => checkOldEnough({ leastAge, consentAge });
    if (may) expect(check).not.toThrow();
    else expect(check).toThrow('guardian');
  });
});
