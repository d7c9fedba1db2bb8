import { create, fromJson } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { SendMessageResponseSchema } from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { jsonSchema } from '../schema/json-schema.ts';
import { RuledSchema, ScalarsSchema, ShapesSchema } from '../testing/test-messages.ts';
import { writeJson, writeMessage } from './write-message.ts';

const at = { $typeName: 'google.protobuf.Timestamp' as const, seconds: 1_782_898_200n, nanos: 120_999_999 };

describe('an answer', () => {
  const answer = create(SendMessageResponseSchema, { id: 'msg_1', fromStatus: 3, at, text: '', box: 4 });

  test('always prints implicit fields, prints optional fields when set, and prints nullable fields as null', () => {
    expect(writeMessage(SendMessageResponseSchema, answer)).toStrictEqual({
      id: 'msg_1',
      thread: '',
      from: '',
      from_name: '',
      from_status: 'unclaimed',
      name_verified: false,
      to: '',
      text: '',
      at: '2026-07-01T09:30:00.120Z',
      read_at: null,
      box: 'sent',
      retracted: false,
    });
  });

  test('with a free-form body prints it as it is', () => {
    const record = {
      v: 1,
      answers: [{ to: '@ada', note: null }],
      signature: { protected: 'e', signature: 's' },
    };
    expect(writeMessage(StructSchema, fromJson(StructSchema, record))).toStrictEqual(record);
    const { schema, components } = jsonSchema(StructSchema, {
      direction: 'response',
      bounds: new Map(),
      ref: (name) => name,
    });
    expect([schema, components]).toEqual([{ type: 'object', additionalProperties: true }, {}]);
  });

  test('is printed in declaration order', () => {
    expect(writeJson(SendMessageResponseSchema, answer)).toMatch(/^\{"id":"msg_1","thread":"","from":/);
    expect(JSON.parse(writeJson(SendMessageResponseSchema, answer))).toStrictEqual(
      writeMessage(SendMessageResponseSchema, answer),
    );
  });
});

test('an empty message prints its empty lists, maps and zeros', () => {
  expect(writeMessage(ShapesSchema, create(ShapesSchema))).toStrictEqual({
    colours: [],
    inners: [],
    times: [],
    datas: [],
    counts: {},
    inner_by_name: {},
  });
  expect(writeMessage(RuledSchema, create(RuledSchema))).toStrictEqual({
    nullable: null,
    bounded: 0,
    clamped: 0,
    big: 0,
    items: [],
    bytes: '',
    until: null,
    colour: null,
  });
});

test('64-bit integers are numbers while exact, then strings', () => {
  const message = create(ScalarsSchema, { manyInt64: [5n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 63n)] });
  expect(writeMessage(ScalarsSchema, message).many_int64).toStrictEqual([
    5,
    9007199254740991,
    '9007199254740992',
    '-9223372036854775808',
  ]);
});

test('unknown enum values are omitted', () => {
  const message = create(ShapesSchema, { colour: 77, colours: [1, 77, 0, 2] });
  const json = writeMessage(ShapesSchema, message);
  expect(json).not.toHaveProperty('colour');
  expect(json.colours).toStrictEqual(['red', 'dark_blue']);
});

test('the selected case of a oneof is printed, even with value 0', () => {
  const message = create(ShapesSchema, { choice: { case: 'byNumber', value: 0 } });
  expect(writeMessage(ShapesSchema, message)).toMatchObject({ by_number: 0 });
  expect(writeMessage(ShapesSchema, message)).not.toHaveProperty('by_text');
});

test('bytes are base64url, also from a slice of a buffer', () => {
  const bytes = new Uint8Array([9, 0xfb, 0xff, 9]).subarray(1, 3);
  expect(writeMessage(RuledSchema, create(RuledSchema, { bytes })).bytes).toBe('-_8');
});

test('a map keeps a key named like a property of Object.prototype', () => {
  const counts = JSON.parse('{"__proto__": 1, "a": 2}', (_, value) =>
    typeof value === 'number' ? BigInt(value) : value,
  );
  const json = writeJson(ShapesSchema, create(ShapesSchema, { counts }));
  expect(json).toContain('"counts":{"__proto__":1,"a":2}');
});

test('free-form JSON is printed unchanged', () => {
  const data = { a: [null, { b: 1.5 }] };
  const message = create(ShapesSchema, { data, datas: [data] });
  expect(writeMessage(ShapesSchema, message)).toMatchObject({ data, datas: [data] });
});
