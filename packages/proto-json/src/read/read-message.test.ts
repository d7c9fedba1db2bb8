import type { DescMessage } from '@bufbuild/protobuf';
import { asHearthError, type HearthError } from '@hearth/errors';
import { OfferTimesRequestSchema } from '@hearth/proto/decisions/v1/meetings';
import { ShowHomeRequestSchema } from '@hearth/proto/federation/v1/homes';
import { PeekInviteRequestSchema } from '@hearth/proto/groups/v1/invites';
import { GetCardRequestSchema, SignUpRequestSchema } from '@hearth/proto/identity/v1/identity';
import { ClaimGuestRequestSchema, CreatePersonRequestSchema } from '@hearth/proto/identity/v1/people';
import { Platform } from '@hearth/proto/identity/v1/resources';
import {
  ListMessagesRequestSchema,
  MarkReadRequestSchema,
  SendMessageRequestSchema,
} from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { testBounds } from '../testing/test-bounds.ts';
import { KindsSchema, RuledSchema, ScalarsSchema, ShapesSchema } from '../testing/test-messages.ts';
import { createReader } from './read-message.ts';

const { readMessage } = createReader({ bounds: testBounds });

function refusal(schema: DescMessage, json: unknown): HearthError {
  try {
    readMessage(schema, json);
  } catch (error) {
    return asHearthError(error);
  }
  throw new Error(`${JSON.stringify(json)} was taken`);
}

const words = (schema: DescMessage, json: unknown) => refusal(schema, json).message;
const hex = '0190c5a1b2c37d4e8f90a1b2c3d4e5f6';

describe('the bounds of a home', () => {
  const small = createReader({
    bounds: new Map([
      ...testBounds,
      ['message_text_characters', 10],
      ['message_data_bytes', 12],
      ['page_entries', 5],
      ['mark_read_messages', 1],
    ]),
  });
  const wordsOf = (schema: DescMessage, json: unknown) => {
    expect(() => readMessage(schema, json)).not.toThrow();
    try {
      small.readMessage(schema, json);
    } catch (error) {
      return asHearthError(error).message;
    }
    return 'taken';
  };

  test('apply to the fields that name them, for that reader alone', () => {
    const text = (length: number) => ({ text: '\u{1f600}'.repeat(length) });
    expect(wordsOf(SendMessageRequestSchema, text(10))).toBe('taken');
    expect(wordsOf(SendMessageRequestSchema, text(11))).toBe('text: must have 1 to 10 characters; it has 11');
    expect(wordsOf(SendMessageRequestSchema, { text: 'a', data: { a: 'bcde' } })).toBe('taken');
    expect(wordsOf(SendMessageRequestSchema, { text: 'a', data: { a: 'bcdef' } })).toBe(
      'data: must have at most 12 bytes of JSON; it has 13',
    );
    expect(wordsOf(ListMessagesRequestSchema, { limit: 5 })).toBe('taken');
    expect(wordsOf(ListMessagesRequestSchema, { limit: 6 })).toBe(
      'limit: must be a whole number, 1 to 5; got 6',
    );
    expect(wordsOf(MarkReadRequestSchema, { ids: [`msg_${hex}`] })).toBe('taken');
    expect(wordsOf(MarkReadRequestSchema, { ids: [`msg_${hex}`, `msg_${hex}`] })).toBe(
      'ids: must have at most 1 items; it has 2',
    );
  });

  test('must all be given', () => {
    const none = createReader({ bounds: new Map() });
    expect(() => none.readMessage(SendMessageRequestSchema, { text: 'a' })).toThrow(
      /SendMessageRequest.text: there is no limit message_text_characters/,
    );
    // The second attempt fails too.
    expect(() => none.readMessage(SendMessageRequestSchema, {})).toThrow('there is no limit');
  });
});

test('a request becomes its message', () => {
  const message = readMessage(SendMessageRequestSchema, {
    to: '@free-abc123.ai-robin',
    text: 'Hello!\r\nAre you free?',
    title: ' Saturday\n',
    data: { seats: [1, null, { deep: true }] },
    request_kind: 'personal',
    reply_to: `msg_${hex}`,
    thread: null,
  });
  expect(message).toStrictEqual({
    $typeName: 'hearth.messages.v1.SendMessageRequest',
    to: '@free-abc123.ai-robin',
    text: 'Hello!\nAre you free?',
    title: 'Saturday',
    data: { seats: [1, null, { deep: true }] },
    requestKind: 1,
    replyTo: `msg_${hex}`,
  });
});

describe('an unknown field', () => {
  test('is refused by name, with the nearest known field and the list of all', () => {
    const error = refusal(SendMessageRequestSchema, { txet: 'Hello!' });
    expect(error.message).toBe(
      'there is no field "txet"; did you mean "text"? ' +
        'Known fields: to, text, title, thread, reply_to, data, request_kind, request_id',
    );
    expect(error.kind).toBe('bad_request');
    expect(error.details).toEqual({ code: 'unknown_field', field: 'txet' });
  });

  test('is refused in camelCase too', () => {
    expect(words(SendMessageRequestSchema, { text: 'a', replyTo: `msg_${hex}` })).toMatch(
      /^there is no field "replyTo"; did you mean "reply_to"\?/,
    );
  });

  test('is reported with its path', () => {
    const error = refusal(ShapesSchema, { inners: [{ starts_at: 'a' }, { starts_at: 'b', not: '' }] });
    expect(error.message).toMatch(
      /^there is no field "inners\[1\]\.not"; did you mean "inners\[1\]\.note"\?/,
    );
    expect(error.details.field).toBe('inners[1].not');
  });

  test('far from every known field gets no suggestion', () => {
    expect(words(GetCardRequestSchema, { zzzzzz: 1 })).toBe(
      'there is no field "zzzzzz". Known fields: address, if',
    );
  });

  test.each(['__proto__', 'constructor', 'toString', 'x'.repeat(100_000)])(
    'named %.20s is refused with a short message',
    (name) => {
      const error = refusal(GetCardRequestSchema, JSON.parse(`{${JSON.stringify(name)}: 1}`));
      expect(error.details.code).toBe('unknown_field');
      expect(error.message.length).toBeLessThan(200);
      expect(error.details.field!.length).toBeLessThan(201);
    },
  );
});

describe('the request as a whole', () => {
  test.each([null, undefined, [], 'text', 5, true])('must be an object, not %j', (json) => {
    expect(refusal(SendMessageRequestSchema, json)).toMatchObject({
      message: 'the request must be a JSON object',
      details: { code: 'bad_json' },
    });
  });

  test('of the wrong type is reported with its path', () => {
    expect(words(ShapesSchema, { inner: 5 })).toBe('inner: must be an object');
  });
});

describe('a required field', () => {
  test.each([{}, { text: null }])('may not be missing: %j', (json) => {
    const error = refusal(SendMessageRequestSchema, json);
    expect(error.message).toBe('text: is required');
    expect(error.details).toEqual({ code: 'bad_field', field: 'text' });
  });

  test('uses its own error code for the zone of times', () => {
    const offer = { title: 'A call', to: ['anyone'], slots: [{ starts_at: '2090-05-03T18:00' }] };
    const { details } = refusal(OfferTimesRequestSchema, offer);
    expect(details).toEqual({ code: 'time_zone_needed', field: 'time_zone' });
  });

  test('is required in a nested message as well', () => {
    expect(words(SignUpRequestSchema, { name: 'Robin', public_key: { kty: 'OKP', crv: 'Ed25519' } })).toBe(
      'public_key.x: is required',
    );
  });
});

describe('text', () => {
  test.each([
    [{ line: 'a' }, 'line: must have 2 to 5 characters; it has 1'],
    [{ line: ' a\n' }, 'line: must have 2 to 5 characters; it has 1'],
    [{ line: 'abcdef' }, 'line: must have 2 to 5 characters; it has 6'],
    [{ line: '\u{1f600}' }, 'line: must have 2 to 5 characters; it has 1'],
    [{ lines: 'x'.repeat(21) }, 'lines: must have at most 20 characters; it has 21'],
    [{ raw: 'a\nb' }, 'raw: must not hold control characters or line breaks'],
    [{ raw: 'a\u0000b' }, 'raw: must not hold control characters or line breaks'],
    [{ plain: 'a\tb' }, 'plain: must not hold control characters or line breaks'],
    [{ plain: 'a'.repeat(1001) }, 'plain: must have at most 1000 characters; it has 1001'],
    [{ raw: '\ud800' }, 'raw: must be valid Unicode; it holds half of a surrogate pair'],
    [{ line: 'ab\udc00' }, 'line: must be valid Unicode; it holds half of a surrogate pair'],
    [{ raw: 5 }, 'raw: must be a string'],
    [{ raw: ['a'] }, 'raw: must be a string'],
    [{ pattern: 'ab' }, 'pattern: must be a or bc'],
    [{ pattern: 'bcd' }, 'pattern: must be a or bc'],
    [{ id: 'msg_1' }, 'id: must be msg_ or thr_ followed by 32 lower-case hex digits'],
    [{ id: `msg_${hex.toUpperCase()}` }, 'id: must be msg_ or thr_ followed by 32 lower-case hex digits'],
    [{ id: `apr_${hex}` }, 'id: must be msg_ or thr_ followed by 32 lower-case hex digits'],
    [{ id: `msg_${hex}\n` }, 'id: must not hold control characters or line breaks'],
  ])('%j is refused', (json, message) => {
    expect(words(RuledSchema, { items: [`msg_${hex}`], ...json })).toBe(message);
  });

  test.each([
    [
      { line: '\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}' },
      'line',
      '\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}',
    ],
    [{ line: '  ab\u200b\n' }, 'line', 'ab'],
    [{ lines: '\ta\r\nb\u0000' }, 'lines', '\ta\nb'],
    [{ raw: ' e\u0301 ' }, 'raw', ' e\u0301 '],
    [{ raw: '' }, 'raw', ''],
    [{ pattern: 'bc' }, 'pattern', 'bc'],
    [{ id: `thr_${hex}` }, 'id', `thr_${hex}`],
    [{ unworded: ' a\u202eb ' }, 'unworded', 'ab'],
    [{ plain: ' a ' }, 'plain', ' a '],
  ])('%j is taken', (json, name, value) => {
    const message = readMessage(RuledSchema, json as object) as unknown as Record<string, unknown>;
    expect(message[name]).toBe(value);
  });

  test('is measured in code points, after cleaning', () => {
    expect(words(SendMessageRequestSchema, { text: '\u{1f600}'.repeat(8123) })).toBe(
      'text: must have 1 to 8000 characters; it has 8123',
    );
    expect(words(SendMessageRequestSchema, { text: ' \n ' })).toBe(
      'text: must have 1 to 8000 characters; it has 0',
    );
    expect(readMessage(SendMessageRequestSchema, { text: '\u{1f600}'.repeat(8000) }).text.length).toBe(
      16_000,
    );
    expect(
      readMessage(SendMessageRequestSchema, { text: `${'a'.repeat(8000)}${'\u200b'.repeat(9)}` }).text.length,
    ).toBe(8000);
  });
});

describe('a number', () => {
  test.each([
    [{ bounded: '5' }, 'bounded: must be a whole number'],
    [{ bounded: 1.5 }, 'bounded: must be a whole number'],
    [{ bounded: true }, 'bounded: must be a whole number'],
    [{ bounded: Number.NaN }, 'bounded: must be a whole number'],
    [{ bounded: 6 }, 'bounded: must be a whole number, -5 to 5; got 6'],
    [{ bounded: -6 }, 'bounded: must be a whole number, -5 to 5; got -6'],
    [{ clamped: -1 }, 'clamped: must be a whole number, 0 to 30; got -1'],
    [{ big: 0 }, 'big: must be a whole number, 1 to 9007199254740993; got 0'],
    [{ big: 2 ** 53 }, 'big: must be a whole number'],
    [{ big: '9007199254740994' }, 'big: must be a whole number, 1 to 9007199254740993; got 9007199254740994'],
    [{ big: '0x10' }, 'big: must be a whole number'],
    [{ big: '9'.repeat(10_000) }, 'big: must be a whole number'],
  ])('%j is refused', (json, message) => {
    expect(words(RuledSchema, json)).toBe(message);
  });

  test('above a clamping maximum is reduced to it', () => {
    expect(readMessage(ListMessagesRequestSchema, { wait: 4_000_000_000_000 }).wait).toBe(30);
    expect(readMessage(ListMessagesRequestSchema, { wait: 25 }).wait).toBe(25);
  });

  test('is bounded by its type', () => {
    expect(words(ScalarsSchema, { one_int32: 2 ** 31 })).toBe(
      'one_int32: must be a whole number, at most 2147483647; got 2147483648',
    );
    expect(words(ScalarsSchema, { one_uint32: -1 })).toBe(
      'one_uint32: must be a whole number, 0 to 4294967295; got -1',
    );
    expect(words(ScalarsSchema, { one_uint64: -1 })).toContain(
      'one_uint64: must be a whole number, 0 to 1844674',
    );
    expect(words(ScalarsSchema, { one_double: Number.POSITIVE_INFINITY })).toBe(
      'one_double: must be a number',
    );
    expect(words(ScalarsSchema, { one_float: 1e39 })).toContain('one_float: must be a number, ');
    expect(words(ScalarsSchema, { one_bool: 'true' })).toBe('one_bool: must be true or false');
  });

  test('of 64 bits is read without loss', () => {
    expect(readMessage(RuledSchema, { big: '9007199254740993' })).toMatchObject({ big: 9007199254740993n });
    expect(readMessage(RuledSchema, { big: 12 })).toMatchObject({ big: 12n });
  });
});

describe('an enum', () => {
  test('is a lower-case word', () => {
    expect(readMessage(SignUpRequestSchema, { name: 'Robin', platform: 'claude' }).platform).toBe(
      Platform.CLAUDE,
    );
    expect(readMessage(ShapesSchema, { colours: ['dark_blue', 'red'] })).toMatchObject({ colours: [2, 1] });
  });

  test.each([
    ['clade', '; got "clade" (did you mean claude?)'],
    ['PLATFORM_CLAUDE', '; got "PLATFORM_CLAUDE"'],
    ['unspecified', '; got "unspecified"'],
    ['', '; got ""'],
    [1, '; got 1'],
    [{}, '; got an object'],
    [['claude'], '; got a list'],
    ['x'.repeat(1000), `; got "${'x'.repeat(40)}..."`],
  ])('refuses %j', (platform, end) => {
    expect(words(SignUpRequestSchema, { name: 'Robin', platform })).toBe(
      'platform: must be one of claude, chatgpt, gemini, copilot, grok, mistral, perplexity, meta, openclaw, ' +
        `custom, other${end}`,
    );
  });
});

describe('lists and maps', () => {
  const id = `msg_${hex}`;

  test.each([
    [{ items: [] }, 'items: must have 1 to 3 items; it has 0'],
    [{ items: [id, id, id, id] }, 'items: must have 1 to 3 items; it has 4'],
    [{ items: [id, 'x'] }, 'items[1]: must be msg_ followed by 32 lower-case hex digits'],
    [{ items: [id, null] }, 'items[1]: must not be null'],
    [{ items: id }, 'items: must be a list'],
    [{ items: { 0: id } }, 'items: must be a list'],
  ])('%j is refused', (json, message) => {
    expect(words(RuledSchema, json)).toBe(message);
  });

  test.each([
    ['{"counts": {"__proto__": 1}}', 'counts: must have no member named "__proto__"'],
    ['{"counts": {"a": null}}', 'counts.a: must not be null'],
    ['{"counts": {"a": "b"}}', 'counts.a: must be a whole number'],
    ['{"counts": []}', 'counts: must be an object'],
    ['{"inner_by_name": {"a": {}}}', 'inner_by_name.a.starts_at: is required'],
    [`{"counts": {"${'k'.repeat(101)}": 1}}`, 'counts: must have keys of at most 100 characters'],
  ])('%s is refused', (json, message) => {
    expect(words(ShapesSchema, JSON.parse(json))).toBe(message);
  });

  test('without a declared limit have one by default', () => {
    expect(words(ScalarsSchema, { many_bool: Array(1001).fill(true) })).toBe(
      'many_bool: must have at most 1000 items; it has 1001',
    );
    const counts = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 1]));
    expect(words(ShapesSchema, { counts })).toBe('counts: must have at most 1000 items; it has 1001');
  });
});

describe('free-form JSON', () => {
  test('is measured in bytes', () => {
    expect(words(RuledSchema, { data: { text: '\u00e4'.repeat(20) } })).toBe(
      'data: must have at most 40 bytes of JSON; it has 51',
    );
    expect(words(ShapesSchema, { any_json: 'x'.repeat(16_384) })).toBe(
      'any_json: must have at most 16384 bytes of JSON; it has 16386',
    );
  });

  test.each([
    ['{"data": []}', 'data: must be an object'],
    ['{"data": "{}"}', 'data: must be an object'],
    ['{"data": {"a": {"__proto__": 1}}}', 'data: must have no member named "__proto__"'],
    ['{"data": {"a": 1e999}}', 'data: must hold no number that is too large for JSON'],
    ['{"data": {"a": "\\ud800"}}', 'data: must be valid Unicode; it holds half of a surrogate pair'],
    ['{"data": {"\\ud800": 1}}', 'data: must be valid Unicode; it holds half of a surrogate pair'],
    ['{"any_list": {}}', 'any_list: must be a list'],
  ])('%s is refused', (json, message) => {
    expect(words(ShapesSchema, JSON.parse(json))).toBe(message);
  });

  test('has a depth limit that survives any nesting', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(readMessage(ShapesSchema, { data: { a: nested(30) } })).toMatchObject({ data: {} });
    expect(words(ShapesSchema, { data: { a: nested(100_000) } })).toBe(
      'data: must not nest deeper than 32 levels',
    );
  });
});

test('a recursive message has a depth limit', () => {
  let json: object = {};
  for (let depth = 0; depth < 5_000; depth += 1) json = { self: json };
  const error = refusal(ShapesSchema, json);
  expect(error.message).toMatch(/^self(\.self)+: must not nest deeper than 32 levels$/);
});

describe('a oneof', () => {
  test('accepts one of its members', () => {
    expect(readMessage(ShapesSchema, { by_number: 5, by_text: null })).toMatchObject({
      choice: { case: 'byNumber', value: 5 },
    });
    expect(readMessage(ShapesSchema, {})).toMatchObject({ choice: { case: undefined } });
  });

  test('refuses two members', () => {
    expect(words(ShapesSchema, { by_number: 5, by_text: 'five' })).toMatch(
      /^by_(number|text): give only one of by_text, by_number, by_inner$/,
    );
  });
});

describe('bytes', () => {
  test.each([
    ['AA==', 'bytes: must be base64url without padding'],
    ['A+/A', 'bytes: must be base64url without padding'],
    ['AAB', 'bytes: must be base64url without padding'],
    ['AAAAA', 'bytes: must be base64url without padding'],
    ['AA', 'bytes: must be 2 to 4 bytes in base64url; it is 1'],
    ['AAAAAAA', 'bytes: must be 2 to 4 bytes in base64url; it is 5'],
    [[0, 1], 'bytes: must be base64url without padding'],
  ])('%j is refused', (bytes, message) => {
    expect(words(RuledSchema, { bytes })).toBe(message);
  });

  test('are decoded', () => {
    expect(readMessage(RuledSchema, { bytes: '-_8' })).toMatchObject({ bytes: new Uint8Array([0xfb, 0xff]) });
  });
});

test.each(['2026-07-01', '2026-07-01T09:30:00', 1_782_900_000, '2026-02-30T00:00:00Z'])(
  '%j is not a time',
  (at) => {
    expect(words(ShapesSchema, { at })).toBe(
      'at: must be a time such as 2026-07-01T09:30:00Z, with Z or an offset',
    );
  },
);

describe("an id of this home in another home's notation", () => {
  const { readMessage: read } = createReader({ bounds: testBounds, ownHome: 'home.example' });
  const own = (id: string) => `r:home.example:${id}`;
  test('is accepted as the id in every id field', () => {
    const [msg, thr, per] = [`msg_${hex}`, `thr_${hex}`, `per_${hex}`];
    expect(
      read(SendMessageRequestSchema, { text: 'x', to: own(per), thread: own(thr), reply_to: own(msg) }),
    ).toMatchObject({ to: per, thread: thr, replyTo: msg });
    expect(read(MarkReadRequestSchema, { ids: [own(msg)] }).ids).toEqual([msg]);
    expect(read(ListMessagesRequestSchema, { since: own(msg) }).since).toBe(msg);
  });
  test('stays unchanged in other fields', () => {
    const given = { text: own('x'), to: '@ada', request_id: own('x') };
    expect(read(SendMessageRequestSchema, given)).toMatchObject({ text: own('x'), requestId: own('x') });
  });
  test('stays a reference where references of other homes are accepted', () => {
    const other = `r:other.example:msg_${hex}`;
    expect(read(MarkReadRequestSchema, { ids: [other] }).ids).toEqual([other]);
    expect(words(MarkReadRequestSchema, { ids: ['x'] })).toContain('or r:<home>:<id> of another home');
  });
});

describe('typed input is normalized', () => {
  const Kinds = KindsSchema;
  test.each<[string, DescMessage, object, object]>([
    ['an address of full width', Kinds, { reference: ' ＠ada\n', needed: 'x' }, { reference: '@ada' }],
    [
      'a home in its own script',
      Kinds,
      { reference: 'ada@München.example', needed: 'x' },
      { reference: 'ada@xn--mnchen-3ya.example' },
    ],
    [
      'an id with white space around it',
      Kinds,
      { reference: ` msg_${hex}\u200b`, needed: 'x' },
      { reference: `msg_${hex}` },
    ],
    [
      'the name of a group, as it stands',
      Kinds,
      { reference: 'Ｃｌｕｂ १', needed: 'x' },
      { reference: 'Ｃｌｕｂ १' },
    ],
    ['an id of full width', MarkReadRequestSchema, { ids: [` ｍｓｇ＿${hex}`] }, { ids: [`msg_${hex}`] }],
    [
      'a word in capitals',
      SignUpRequestSchema,
      { name: 'Robin', platform: 'CLAUDE' },
      { platform: Platform.CLAUDE },
    ],
    ['a form of full width', RuledSchema, { pattern: 'ＢＣ', items: [`msg_${hex}`] }, { pattern: 'bc' }],
    ['digits in groups', ClaimGuestRequestSchema, { code: '１２３ 456' }, { code: '123456' }],
    [
      'a day in other digits',
      CreatePersonRequestSchema,
      { name: 'Ada', birth_year_month: '٢٠١٢-٠٥' },
      { birthYearMonth: '2012-05' },
    ],
    ['a handle in capitals', CreatePersonRequestSchema, { name: 'Ada', handle: 'Ada' }, { handle: 'ada' }],
    [
      'a locale as systems write it',
      CreatePersonRequestSchema,
      { name: 'Ada', locale: 'de_CH' },
      { locale: 'de-CH' },
    ],
    [
      'a word of a list',
      ShapesSchema,
      { colour: 'Dark_Blue', colours: ['ＲＥＤ'] },
      { colour: 2, colours: [1] },
    ],
    ['a home', ShowHomeRequestSchema, { home: 'https://Home.Example/' }, { home: 'home.example' }],
    [
      'a link that a mail broke',
      PeekInviteRequestSchema,
      { code: 'https://a.example/i/ab\r\n  cd' },
      { code: 'https://a.example/i/abcd' },
    ],
  ])('%s', (_, schema, json, expected) => {
    expect(readMessage(schema, json)).toMatchObject(expected);
  });

  test('has a single form when another home sends it', () => {
    const strict = createReader({ bounds: testBounds, ignoreUnknown: true });
    for (const [schema, json] of [
      [ShapesSchema, { colour: 'Dark_Blue' }],
      [CreatePersonRequestSchema, { name: 'Ada', handle: 'Ada' }],
      [MarkReadRequestSchema, { ids: [` msg_${hex}`] }],
    ] as const)
      expect(() => strict.readMessage(schema as DescMessage, json)).toThrow('must be');
  });

  test('a request_id is not normalized', () => {
    expect(words(CreatePersonRequestSchema, { name: 'Ada', request_id: 'ａ' })).toContain('request_id');
  });
});
