import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalize } from './canonicalize.ts';
import { parseStrictJson, type StrictJsonLimits } from './strict-json.ts';
import { profileValue } from './test-support.ts';

type Outcome = { value: unknown } | { refused: string };

function attempt(parse: () => unknown): Outcome {
  try {
    return { value: parse() };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

const nearlyJson = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom(...'{}[]",:0123456789.eE+-\\/untrfalsb \n\t\u0001é\ud83d\ude00\ud800'.split('')),
  }),
  fc.json(),
  fc.tuple(fc.json(), fc.nat(), fc.string({ unit: 'binary', maxLength: 3 })).map(([text, place, insert]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + insert + text.slice(at + insert.length);
  }),
);

describe('parseStrictJson', () => {
  const runs = { numRuns: 2_000 };

  test('accepts only what JSON.parse accepts, with the same result', () => {
    fc.assert(
      fc.property(nearlyJson, fc.boolean(), (text, floats) => {
        const ours = attempt(() => parseStrictJson(text, { floats }));
        const theirs = attempt(() => JSON.parse(text) as unknown);
        // `-0` is parsed as 0, which is how JSON.stringify writes it.
        if ('value' in ours) expect(JSON.parse(JSON.stringify(theirs))).toEqual(ours);
        if ('refused' in theirs) expect(ours).toHaveProperty('refused');
      }),
      runs,
    );
  });

  test('reads everything in the profile, in any layout of JSON.stringify', () => {
    fc.assert(
      fc.property(profileValue, fc.nat({ max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const expected = JSON.parse(text) as unknown;
        expect(parseStrictJson(text)).toStrictEqual(expected);
        expect(parseStrictJson(Buffer.from(text))).toStrictEqual(expected);
        expect(canonicalize(parseStrictJson(text))).toBe(canonicalize(value));
      }),
    );
  });

  test('reads any JSON with floats when they are allowed', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!/\d{16}/.test(text));
        const expected = JSON.parse(text, (_name, value) => (value === 0 ? 0 : value)) as unknown;
        expect(parseStrictJson(text, { floats: true })).toEqual(expected);
      }),
    );
  });

  test.each(['-0', '-0.0', '-0e3', '-1e-400'])('reads %s as 0 with floats', (text) => {
    expect(parseStrictJson(text, { floats: true })).toBe(0);
  });

  test('refuses a duplicate member at any depth and in any spelling', () => {
    const member = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(member, profileValue, profileValue, fc.nat({ max: 3 }), (name, first, second, depth) => {
        const escaped = [...name].map((letter) =>
          letter
            .split('')
            .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
            .join(''),
        );
        const object = `{${JSON.stringify(name)}:${JSON.stringify(first)},"${escaped.join('')}":${JSON.stringify(second)}}`;
        const text = '[{"outer":'.repeat(depth) + object + '}]'.repeat(depth);
        expect(() => JSON.parse(text) as unknown).not.toThrow();
        expect(() => parseStrictJson(text)).toThrow('stands twice');
      }),
    );
  });

  test.each<[string, string, string]>([
    ['a duplicate key', '{"a":{"b":1,"b":2}}', 'stands twice in its object (at $.a.b, offset 12)'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', 'stands twice'],
    [
      'a float',
      '{"a":[1,1.5]}',
      'fraction or an exponent is not taken; write an integer or a text (at $.a[1], offset 8)',
    ],
    ['a float that is whole', '1.0', 'fraction or an exponent'],
    ['an exponent', '1e2', 'fraction or an exponent'],
    ['minus zero', '[-0]', '-0 is not taken'],
    ['2^53', '9007199254740992', 'beyond'],
    ['-2^53', '-9007199254740992', 'beyond'],
    ['an escaped lone surrogate', '["\\ud83d"]', 'a surrogate stands alone'],
    ['a lone surrogate as it stands', '["\udc00"]', 'a surrogate stands alone'],
    ['a surrogate pair the wrong way round', '"\\udc00\\ud800"', 'a surrogate stands alone'],
    ['a lone surrogate in a name', '{"\\ud800":1}', 'a surrogate stands alone'],
    ['a byte order mark', '\ufeff{}', 'where a JSON value belongs'],
    ['a comment', '{/*x*/}', 'member name'],
    ['a trailing comma', '[1,]', 'found "]"'],
    ['single quotes', "{'a':1}", 'member name'],
    ['a bare name', '{a:1}', 'member name'],
    ['NaN', 'NaN', 'a JSON value'],
    ['a leading zero', '01', 'the end of the text'],
    ['a leading plus', '+1', 'a JSON value'],
    ['a control character', '"a\u0001"', 'control character'],
    ['an unknown escape', '"\\x41"', 'escape'],
    ['an unclosed text', '{"a":"b', 'not closed (at $.a, offset 5)'],
    ['a text closed by nothing after a backslash', '"\\', 'not closed'],
    ['two documents', '{}{}', 'the end of the text'],
    ['nothing', '', 'found the end of the text'],
    ['another kind of space', '\u00a01', 'a JSON value'],
  ])('refuses %s', (_name, text, words) => {
    expect(() => parseStrictJson(text)).toThrow(words);
    expect(() => parseStrictJson(text)).toThrow(
      expect.objectContaining({
        kind: 'bad_request',
        details: expect.objectContaining({ code: 'bad_json' }),
      }),
    );
  });

  test('refuses an infinite number also where floats are allowed', () => {
    expect(() => parseStrictJson('1e400', { floats: true })).toThrow('too large');
    expect(parseStrictJson('[1.5,2e-3]', { floats: true })).toEqual([1.5, 0.002]);
  });

  test.each([
    ['a lone continuation byte', '2280 22'],
    ['an overlong slash', '22c0af22'],
    ['a surrogate', '22eda08022'],
  ])('refuses bytes that are not UTF-8: %s', (_name, hex) => {
    expect(() => parseStrictJson(Buffer.from(hex.replace(' ', ''), 'hex'))).toThrow('not UTF-8');
  });

  test('refuses a byte order mark in bytes', () => {
    expect(() => parseStrictJson(Buffer.from('\ufeff{}'))).toThrow('a JSON value');
  });

  test('keeps a member named __proto__ as a plain member', () => {
    const value = parseStrictJson('{"__proto__":{"admin":true}}') as { admin?: boolean };
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value.admin).toBeUndefined();
  });

  test('accepts exactly the allowed depth, and survives a million brackets', () => {
    const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    expect(() => parseStrictJson(nested('[', ']', 32))).not.toThrow();
    expect(() => parseStrictJson(nested('[', ']', 33))).toThrow('nested deeper than 32');
    expect(() => parseStrictJson(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toThrow('nested deeper than 32');
    expect(() => parseStrictJson('['.repeat(1_000_000))).toThrow('nested deeper than 32');
    expect(parseStrictJson('[[1]]', { maxDepth: 2 })).toEqual([[1]]);
    expect(() => parseStrictJson('[[1]]', { maxDepth: 1 })).toThrow('nested deeper than 1');
  });

  test.each<[string, string | Uint8Array, StrictJsonLimits, boolean]>([
    ['text at the bound', '"1234"', { maxBytes: 6 }, true],
    ['text above it', '"12345"', { maxBytes: 6 }, false],
    ['text whose bytes are above it', '"éé"', { maxBytes: 5 }, false],
    ['text whose bytes are at it', '"éé"', { maxBytes: 6 }, true],
    ['a pair of surrogates at it', '"😀"', { maxBytes: 6 }, true],
    ['a pair of surrogates above it', '"😀"', { maxBytes: 5 }, false],
    ['three-byte letters above it', '"€"', { maxBytes: 4 }, false],
    ['bytes above it', Buffer.from('"12345"'), { maxBytes: 6 }, false],
  ])('counts bytes: %s', (_name, source, limits, taken) => {
    const outcome = attempt(() => parseStrictJson(source, limits));
    if (taken) expect(outcome).toHaveProperty('value');
    else expect(outcome).toEqual({ refused: expect.stringContaining('longer than') });
  });
});
