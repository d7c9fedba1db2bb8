import { canonicalize, digest } from '@hearth/signing';
import type { Reason, TextCase } from './format.ts';

/** The JSON profile of signed objects (integers only) and the canonical text of valid input. */
export function textCases(): TextCase[] {
  return [
    ...validTexts.map(([name, text]) => taken(name, text)),
    ...invalidTexts.map(refused),
    ...invalidBytes(),
  ];
}

function taken(name: string, text: string): TextCase {
  const value: unknown = JSON.parse(text);
  return { name, text, valid: true, canonical: canonicalize(value), digest: digest(value) };
}

function refused([name, text, reason]: [string, string, Reason]): TextCase {
  return { name, text, valid: false, reason };
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const validTexts: [string, string][] = [
  ['white space everywhere', ' \t\r\n{ "b" : [ 1 , 2 ] , "a" : { } } '],
  ['the largest and the smallest integer', '[9007199254740991,-9007199254740991,0]'],
  ['names in the order of UTF-16 units', '{"\\ufb33":1,"😀":2,"é":3,"z":4,"Z":5,"":6,"10":7,"9":8}'],
  ['escapes that JCS writes short', '"\\u0008\\u0009\\u000a\\u000c\\u000d\\u0022\\u005c\\/"'],
  ['escapes that JCS writes long', '"\\u0000\\u001F\\u000b"'],
  ['escapes that JCS does not write', '"\\u0041\\u00e9\\u2028\\u007f"'],
  ['a pair of surrogates escaped', '"\\ud83d\\ude00"'],
  ['letters left as they are: no normalization', '["e\\u0301","é"]'],
  ['a member named __proto__', '{"__proto__":{"a":1},"constructor":2}'],
  ['32 levels', nested(32)],
  ['a text alone', '"text"'],
  ['null alone', 'null'],
];

const invalidTexts: [string, string, Reason][] = [
  ['a member twice', '{"a":1,"a":1}', 'duplicate_member'],
  ['a member twice, once escaped', '{"a":1,"\\u0061":2}', 'duplicate_member'],
  ['a member twice, deep inside', '[{"x":[{"a":1,"b":2,"a":3}]}]', 'duplicate_member'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'duplicate_member'],
  ['a fraction', '[0.5]', 'float'],
  ['a fraction of nothing', '[1.0]', 'float'],
  ['an exponent', '[1e2]', 'float'],
  ['minus zero', '[-0]', 'float'],
  ['2^53', '[9007199254740992]', 'integer_range'],
  ['-2^53', '[-9007199254740992]', 'integer_range'],
  ['an integer of 400 digits', `[1${'0'.repeat(399)}]`, 'integer_range'],
  ['a high surrogate alone', '["\\ud83d"]', 'lone_surrogate'],
  ['a low surrogate alone', '["\\ude00"]', 'lone_surrogate'],
  ['surrogates the wrong way round', '["\\ude00\\ud83d"]', 'lone_surrogate'],
  ['a lone surrogate in a name', '{"\\ud83d":1}', 'lone_surrogate'],
  ['33 levels', nested(33), 'too_deep'],
  ['nothing', '', 'not_json'],
  ['a byte order mark', '\ufeff{}', 'not_json'],
  ['a comment', '{}/**/', 'not_json'],
  ['a trailing comma', '{"a":1,}', 'not_json'],
  ['single quotes', "{'a':1}", 'not_json'],
  ['NaN', '[NaN]', 'not_json'],
  ['a leading zero', '[01]', 'not_json'],
  ['a leading plus', '[+1]', 'not_json'],
  ['a line break inside a text', '["a\nb"]', 'not_json'],
  ['an unknown escape', '["\\x41"]', 'not_json'],
  ['a no-break space', '\u00a0{}', 'not_json'],
  ['two values', '1 2', 'not_json'],
  ['cut short', '{"a":', 'not_json'],
];

function invalidBytes(): TextCase[] {
  const bytes = (name: string, hex: string, reason: Reason): TextCase => ({
    name,
    bytes_base64: Buffer.from(hex, 'hex').toString('base64'),
    valid: false,
    reason,
  });
  return [
    bytes('a continuation byte alone', '228022', 'not_utf8'),
    bytes('an overlong slash', '22c0af22', 'not_utf8'),
    bytes('a surrogate in UTF-8', '22eda08022', 'not_utf8'),
    bytes('beyond U+10FFFF', '22f490808022', 'not_utf8'),
    bytes('a byte order mark in UTF-8', 'efbbbf7b7d', 'not_json'),
    bytes('UTF-16', 'fffe7b007d00', 'not_utf8'),
  ];
}
