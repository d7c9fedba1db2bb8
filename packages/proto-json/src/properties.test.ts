import {
  create,
  type DescEnum,
  type DescMessage,
  fromBinary,
  ScalarType,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { enumNames } from '@hearth/enum-names';
import { isHearthError } from '@hearth/errors';
import { file_hearth_identity_v1_identity } from '@hearth/proto/identity/v1/identity';
import { file_hearth_messages_v1_messages } from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isObjectText, publicFields, rulesOf } from './field-rules.ts';
import { createReader } from './read/read-message.ts';
import { messageJson } from './testing/arbitrary.ts';
import { normalise } from './testing/normalise.ts';
import { testBounds } from './testing/test-bounds.ts';
import { RuledSchema, ScalarsSchema, ShapesSchema } from './testing/test-messages.ts';
import { wellKnownKind } from './well-known.ts';
import { writeJson, writeMessage } from './write/write-message.ts';

const { readMessage } = createReader({ bounds: testBounds });

const declared = [...file_hearth_messages_v1_messages.messages, ...file_hearth_identity_v1_identity.messages];
const schemas = [ScalarsSchema, ShapesSchema, RuledSchema, ...declared].map(
  (schema) => [schema.typeName, schema] as [string, DescMessage],
);
const runs = { numRuns: 60 };

describe.each(schemas)('%s', (_, schema) => {
  // A request with bounds can't hold the 0 that stands for "not given".
  const isAnswer = !schema.name.endsWith('Request') && schema !== RuledSchema;

  test('writing a parsed message gives the same JSON in its normal form', () => {
    fc.assert(
      fc.property(messageJson(schema), (json) => {
        const written = writeMessage(schema, readMessage(schema, json));
        expect(written).toStrictEqual(normalise(schema, json));
        if (isAnswer) expect(writeMessage(schema, readMessage(schema, written))).toStrictEqual(written);
        expect(JSON.parse(writeJson(schema, readMessage(schema, json)))).toStrictEqual(written);
      }),
      runs,
    );
  });

  test('a parsed message survives the wire format', () => {
    fc.assert(
      fc.property(messageJson(schema), (json) => {
        const message = readMessage(schema, json);
        expect(fromBinary(schema, toBinary(schema, message))).toStrictEqual(message);
        expect(Object.keys(create(schema)).every((key) => key in message)).toBe(true);
      }),
      runs,
    );
  });

  test('is written as the protobuf library does, where the two mappings agree', () => {
    fc.assert(
      fc.property(messageJson(schema), (json) => {
        const message = readMessage(schema, json);
        const theirs = toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
        expect(ourForm(schema, theirs)).toStrictEqual(writeMessage(schema, message));
      }),
      runs,
    );
  });

  test('reading any JSON returns a message or throws a HearthError', () => {
    const near = fc.dictionary(fc.constantFrom('x', ...schema.fields.map((field) => field.name)), anyJson);
    fc.assert(
      fc.property(fc.oneof(anyJson, near), (json) => {
        try {
          toBinary(schema, readMessage(schema, json));
        } catch (error) {
          if (!isHearthError(error) || error.kind !== 'bad_request') throw error;
          expect(error.details.code).toMatch(/^(bad_field|unknown_field|bad_json)$/);
        }
      }),
      runs,
    );
  });
});

const anyJson = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<unknown>,
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__":1}'),
    Number.POSITIVE_INFINITY,
    -0,
    '2026-07-01T09:30:00Z',
    [null],
    undefined,
  ),
  fc.array(fc.constantFrom('msg_0190c5a1b2c37d4e8f90a1b2c3d4e5f6', 'red', 'AA', 'A', '5')),
);

const longs = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/** Converts the protobuf library's JSON to ours: enums, integers beyond 32 bits, times and base64 differ. */
function ourForm(desc: DescMessage, theirs: unknown): Record<string, unknown> {
  const json = theirs as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const field of publicFields(desc)) {
    if (rulesOf(field).nullable) out[field.name] = null;
    if (!Object.hasOwn(json, field.name)) continue;
    const one = (value: unknown): unknown => {
      if (field.enum) return ourName(field.enum, value);
      const wellKnown = field.message && wellKnownKind(field.message);
      if (wellKnown === 'timestamp') return new Date(value as string).toISOString();
      if (field.message) return wellKnown ? value : ourForm(field.message, value);
      if (isObjectText(field)) return JSON.parse((value as string) || '{}');
      if (field.scalar === ScalarType.BYTES)
        return Buffer.from(value as string, 'base64').toString('base64url');
      return longs.has(field.scalar!) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    };
    const value = json[field.name];
    if (rulesOf(field).omitEmpty && (value as unknown[]).length === 0) continue;
    const mapped =
      field.fieldKind === 'list'
        ? (value as unknown[]).map(one)
        : field.fieldKind === 'map'
          ? Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, one(item)]))
          : one(value);
    if (mapped !== undefined) out[field.name] = mapped;
  }
  return out;
}

function ourName(desc: DescEnum, name: unknown): string | undefined {
  const value = desc.values.find((candidate) => candidate.name === name)!;
  return enumNames(desc).nameOf(value.number) || undefined;
}
