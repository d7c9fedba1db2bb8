import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { AskApprovalRequestSchema } from '@hearth/proto/approvals/v1/approvals';
import { LinkOutcomeRequestSchema } from '@hearth/proto/decisions/v1/decisions';
import { SubscribeRequestSchema } from '@hearth/proto/delivery/v1/subscriptions';
import { GroupSettingsSchema } from '@hearth/proto/groups/v1/groups';
import { file_hearth_identity_v1_identity, SignUpRequestSchema } from '@hearth/proto/identity/v1/identity';
import { PublicKeySchema } from '@hearth/proto/identity/v1/resources';
import {
  file_hearth_messages_v1_messages,
  ListMessagesRequestSchema,
  MessageSchema,
  ReplyMessageRequestSchema,
  SendMessageRequestSchema,
  SendMessageResponseSchema,
} from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { createReader } from '../read/read-message.ts';
import { messageJson } from '../testing/arbitrary.ts';
import { normalise } from '../testing/normalise.ts';
import { testBounds } from '../testing/test-bounds.ts';
import { RuledSchema, ShapesSchema } from '../testing/test-messages.ts';
import { writeMessage } from '../write/write-message.ts';
import { loadComments } from './comments.ts';
import { type Direction, fieldSchema, jsonSchema } from './json-schema.ts';

const bounds = testBounds;
const { readMessage } = createReader({ bounds });

const comments = loadComments();
const ref = (name: string) => `#/$defs/${name}`;

function validator(schema: DescMessage, direction: Direction) {
  const { schema: own, components } = jsonSchema(schema, { direction, ref, comments, bounds });
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
  return ajv.compile({ ...own, $defs: components });
}

test('a request lists required fields and refuses unknown ones', () => {
  const { schema } = jsonSchema(SendMessageRequestSchema, { direction: 'request', ref, bounds, comments });
  expect(schema).toMatchObject({ type: 'object', required: ['text'], additionalProperties: false });
  expect(schema.properties).toMatchObject({
    to: {
      type: 'string',
      maxLength: 320,
      description: 'One address, or the shp_ id under which you see a person under 18.',
      examples: ['@free-abc123.ai-robin'],
    },
    text: { type: 'string', minLength: 1, maxLength: 8000 },
    thread: { type: 'string', pattern: '^(?:thr_[0-9a-f]{32}|r:.+)$' },
    data: { type: 'object', additionalProperties: true },
    request_kind: {
      type: 'string',
      enum: ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'],
    },
  });
});

test('shows the bounds of the home', () => {
  const own = new Map([
    ...bounds,
    ['message_text_characters', 10],
    ['message_data_bytes', 50],
    ['page_entries', 5],
  ]);
  const options = { direction: 'request' as const, ref, comments, bounds: own };
  expect(jsonSchema(SendMessageRequestSchema, options).schema.properties).toMatchObject({
    text: { minLength: 1, maxLength: 10 },
    data: { description: 'An object, passed on as data.\n\nAt most 50 bytes of JSON.' },
  });
  expect(fieldSchema(ListMessagesRequestSchema.field.limit, options).schema).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 5,
    // The description of its kind.
    description: 'The maximum number of entries on the page.',
  });
  expect(() => jsonSchema(SendMessageRequestSchema, { ...options, bounds: new Map() })).toThrow(
    'there is no limit message_text_characters',
  );
});

test('an answer requires every field not declared optional', () => {
  const { schema } = jsonSchema(SendMessageResponseSchema, { direction: 'response', ref, bounds });
  expect(schema).not.toHaveProperty('additionalProperties');
  expect(schema.required).toEqual([
    'id',
    'thread',
    'from',
    'from_name',
    'from_status',
    'name_verified',
    'to',
    'text',
    'at',
    'read_at',
    'box',
    'via',
    'retracted',
    'delivery',
  ]);
  expect(schema.properties).toMatchObject({
    at: { type: 'string', format: 'date-time' },
    read_at: { type: ['string', 'null'], format: 'date-time' },
  });
});

test('rules become keywords', () => {
  const { schema } = jsonSchema(RuledSchema, { direction: 'request', ref, bounds });
  expect(schema.properties).toMatchObject({
    nullable: { type: ['string', 'null'], examples: ['x'] },
    bounded: { type: 'integer', minimum: -5, maximum: 5 },
    items: { type: 'array', minItems: 1, maxItems: 3, items: { pattern: '^(?:msg_[0-9a-f]{32})$' } },
    pattern: { pattern: '^(?:a|bc)$' },
    colour: { type: ['string', 'null'], enum: ['red', 'dark_blue', null] },
  });
});

test('an enum lists the words that the reader accepts', () => {
  const { kind } = AskApprovalRequestSchema.field;
  expect(fieldSchema(kind, { direction: 'request', ref, bounds }).schema).toMatchObject({
    enum: ['photo', 'join'],
  });
  expect(() => readMessage(AskApprovalRequestSchema, { title: 'x', kind: 'plan' })).toThrow(
    'kind: must be one of photo, join; got "plan"',
  );
});

test('text and number fields with few values list the values that the reader accepts', () => {
  const { schema } = jsonSchema(RuledSchema, { direction: 'request', ref, bounds });
  expect(schema.properties).toMatchObject({
    word: { type: 'string', enum: ['one.two', 'three'] },
    age: { type: 'integer', enum: [13, 16] },
    event: { type: 'string', enum: expect.arrayContaining(['message.direct', 'decision.needs_you']) },
  });
  expect(readMessage(RuledSchema, { word: 'three', age: 16, event: 'message.direct' })).toMatchObject({
    word: 'three',
    age: 16,
  });
  expect(() => readMessage(RuledSchema, { word: 'thre' })).toThrow(
    'word: must be one of one.two, three; got "thre" (did you mean three?)',
  );
  expect(() => readMessage(RuledSchema, { age: 14 })).toThrow('age: must be one of 13, 16; got 14');
  expect(() => readMessage(RuledSchema, { event: 'message.directs' })).toThrow(
    'did you mean message.direct?',
  );
});

test('fields that are always present are required in an answer', () => {
  const required = (desc: DescMessage) =>
    jsonSchema(desc, { direction: 'response', ref, bounds }).schema.required;
  expect(required(MessageSchema)).toContain('box');
  expect(required(SendMessageResponseSchema)).toEqual(expect.arrayContaining(['box', 'from_status']));
});

test('declarations name the few values of their texts and numbers', () => {
  const schemaOf = (field: DescField) => fieldSchema(field, { direction: 'request', ref, bounds }).schema;
  expect(schemaOf(GroupSettingsSchema.field.consentAge)).toMatchObject({ enum: [13, 16] });
  expect(schemaOf(LinkOutcomeRequestSchema.field.kind)).toMatchObject({ enum: ['decision', 'plan'] });
  expect(schemaOf(SubscribeRequestSchema.field.name).enum).toContain('plan.proposed');
  expect(schemaOf(SubscribeRequestSchema.field.secret).pattern).toContain('whsec_');
});

test('a clamping maximum is not part of the schema', () => {
  const { schema } = jsonSchema(ListMessagesRequestSchema, { direction: 'request', ref, bounds });
  const { wait, limit } = schema.properties as Record<string, unknown>;
  expect(wait).toEqual({ type: 'integer', minimum: 0 });
  expect(limit).toEqual({ type: 'integer', minimum: 1, maximum: 100 });
});

test('nested messages become components, named after their use', () => {
  const { schema, components } = jsonSchema(SignUpRequestSchema, {
    direction: 'request',
    ref,
    bounds,
    comments,
  });
  expect(schema.properties).toMatchObject({
    public_key: {
      $ref: '#/$defs/PublicKeyInput',
      description: expect.stringMatching(/^Your own Ed25519 public key as a JWK/),
    },
  });
  expect(Object.keys(components).sort()).toEqual(['KeyProofInput', 'PublicKeyInput']);
  expect(components.PublicKeyInput).toMatchObject({
    required: ['kty', 'crv', 'x'],
    additionalProperties: false,
  });
  const answered = jsonSchema(PublicKeySchema, { direction: 'response', ref, bounds }).schema;
  expect(answered).not.toHaveProperty('additionalProperties');
});

test('a recursive message refers to itself', () => {
  const { components } = jsonSchema(ShapesSchema, { direction: 'response', ref, bounds });
  expect(Object.keys(components).sort()).toEqual(['Inner', 'Shapes']);
  expect(components.Shapes).toMatchObject({ properties: { self: { $ref: '#/$defs/Shapes' } } });
});

test('two messages with the same name are refused', () => {
  const same = () => 'Same';
  expect(() => jsonSchema(ShapesSchema, { direction: 'response', ref, bounds, name: same })).toThrow(
    'would both be the component Same',
  );
});

test('path parameters are left out of the body and described separately', () => {
  const options = { direction: 'request' as const, ref, comments, bounds };
  const { schema } = jsonSchema(ReplyMessageRequestSchema, { ...options, omit: ['id'] });
  expect(Object.keys(schema.properties as object)).not.toContain('id');
  expect(schema.required).toEqual(['text']);
  expect(fieldSchema(ReplyMessageRequestSchema.field.id, options)).toEqual({
    schema: {
      ...{ type: 'string', pattern: '^(?:msg_[0-9a-f]{32}|r:.+)$' },
      description: 'The message to answer.',
    },
    required: true,
    components: {},
  });
});

const declared = [...file_hearth_messages_v1_messages.messages, ...file_hearth_identity_v1_identity.messages];
const all = [ShapesSchema, RuledSchema, ...declared].map(
  (desc) => [desc.typeName, desc] as [string, DescMessage],
);

describe.each(all)('%s', (_, desc) => {
  const given = messageJson(desc, { exactNumbers: true });

  test('has a response schema that every answer satisfies', () => {
    const setByServices = new Set(
      fieldsWithin(desc)
        .filter(({ fieldKind }) => fieldKind === 'enum' || fieldKind === 'message')
        .map(({ name }) => name),
    );
    const validate = validator(desc, 'response');
    fc.assert(
      fc.property(given, (json) => {
        validate(writeMessage(desc, readMessage(desc, json)));
        const kept = ({ keyword, params }: ErrorObject) =>
          !ofRequests.has(keyword) && !setByServices.has(params.missingProperty);
        expect((validate.errors ?? []).filter(kept)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('has a request schema that accepts what the home accepts, after cleaning', () => {
    const validate = validator(desc, 'request');
    fc.assert(
      fc.property(given, (json) => {
        const clean = normalise(desc, json);
        validate(onlyGiven(clean, json));
        expect(validate.errors ?? []).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

function fieldsWithin(desc: DescMessage, met = new Set<DescMessage>()): DescField[] {
  if (met.has(desc)) return [];
  met.add(desc);
  return desc.fields.flatMap((field) => [field, ...(field.message ? fieldsWithin(field.message, met) : [])]);
}

/** Bounds that an omitted field violates when printed as 0 or as an empty list. */
const ofRequests = new Set(['minimum', 'minItems', 'minLength']);

/** Returns `clean` without the members missing from `json`, at any depth. */
function onlyGiven(clean: unknown, json: unknown): unknown {
  if (Array.isArray(clean)) return clean.map((item, index) => onlyGiven(item, (json as unknown[])[index]));
  if (typeof clean !== 'object' || clean === null || typeof json !== 'object' || json === null) return clean;
  const given = json as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(clean)
      .filter(([name, value]) => Object.hasOwn(given, name) && (given[name] !== null || value === null))
      .map(([name, value]) => [name, onlyGiven(value, given[name])]),
  );
}
