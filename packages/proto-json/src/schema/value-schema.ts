import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import { FieldKind, TextKind } from '@hearth/proto/options';
import {
  type Bounds,
  boundedRulesOf,
  choicesOf,
  isObjectText,
  rulesOf,
  textRulesOf,
  valuesOf,
} from '../field-rules.ts';
import { unknownWord } from '../read/read-value.ts';
import { wellKnownKind } from '../well-known.ts';
import type { JsonSchema } from './json-schema.ts';

/** The inputs of every field's schema. */
export interface Schemas {
  bounds: Bounds;
  /** See SchemaOptions. */
  terse?: boolean | undefined;
  /** True if the value may come from another home of a later version, with words unknown here. */
  foreign?: boolean | undefined;
  /** Returns the schema of a nested message. */
  reference(desc: DescMessage): JsonSchema;
}

/** Returns the schema of a field's whole value. */
export function valueSchema(field: DescField, schemas: Schemas): JsonSchema {
  const item = schemas.terse ? terseSchema(field, itemSchema(field, schemas)) : itemSchema(field, schemas);
  const { minItems, maxItems } = boundedRulesOf(field, schemas.bounds);
  if (field.fieldKind === 'list') {
    return {
      type: 'array',
      items: item,
      ...(minItems > 0 && { minItems }),
      ...(maxItems > 0 && { maxItems }),
    };
  }
  if (field.fieldKind === 'map') {
    return { type: 'object', additionalProperties: item, ...(maxItems > 0 && { maxProperties: maxItems }) };
  }
  return item;
}

/** Drops bounds of copied values, and bounds that only require a value to be present. */
function terseSchema(field: DescField, schema: JsonSchema): JsonSchema {
  const { id, kind, text } = rulesOf(field);
  const isCopied = text === TextKind.RAW || id.length > 0;
  const isLeftOut = ([keyword, value]: [string, unknown]) =>
    keyword === 'additionalProperties' ||
    (isCopied && (keyword === 'maxLength' || keyword === 'pattern')) ||
    // Most callers want every event, and the error lists them.
    (kind === FieldKind.WAKE_UP && keyword === 'enum') ||
    ((keyword === 'minLength' || keyword === 'minimum') && (value === 0 || value === 1));
  return Object.fromEntries(Object.entries(schema).filter((each) => !isLeftOut(each)));
}

function itemSchema(field: DescField, { bounds, foreign, reference, terse }: Schemas): JsonSchema {
  if (field.enum && foreign) return { type: 'string', pattern: unknownWord.source };
  if (field.enum) return { type: 'string', enum: valuesOf(field) };
  if (field.message) return messageSchema(field, field.message, { reference, terse });
  const choices = foreign ? null : choicesOf(field);
  if (choices !== null)
    return field.scalar === ScalarType.STRING
      ? { type: 'string', enum: choices }
      : { type: 'integer', enum: choices.map(Number) };
  switch (field.scalar) {
    case ScalarType.STRING:
      if (isObjectText(field)) return { type: 'object', additionalProperties: true };
      return textSchema(field, bounds);
    case ScalarType.BYTES:
      return { type: 'string', pattern: '^[A-Za-z0-9_-]*$', contentEncoding: 'base64url' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { type: 'number', ...range(field, bounds) };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: 'integer', minimum: 0, ...range(field, bounds) };
    default:
      return { type: 'integer', ...range(field, bounds) };
  }
}

function messageSchema(
  field: DescField,
  message: DescMessage,
  { reference, terse }: Pick<Schemas, 'reference' | 'terse'>,
): JsonSchema {
  switch (wellKnownKind(message)) {
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'struct':
      return { type: 'object', additionalProperties: true };
    case 'value':
      // A response has one text or several. Tool clients fail on a schema without a type.
      return terse ? { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } : {};
    case 'list_value':
      return { type: 'array', items: {} };
    case 'unsupported':
      throw internal(
        `${field.toString()} is of type ${message.typeName}, which the public JSON does not have`,
      );
    default:
      return reference(message);
  }
}

/** Only declared limits: the defaults bound requests, not responses. */
function textSchema(field: DescField, bounds: Bounds): JsonSchema {
  const { minLength, maxLength, id } = boundedRulesOf(field, bounds);
  const { pattern } = textRulesOf(field, bounds);
  return {
    type: 'string',
    ...(minLength > 0 && { minLength }),
    ...(maxLength > 0 && id.length === 0 && { maxLength }),
    ...(pattern !== null && { pattern: `^(?:${pattern})$` }),
  };
}

/** Leaves out a clamping maximum, because callers may send larger numbers. */
function range(field: DescField, bounds: Bounds): JsonSchema {
  const { minimum, maximum, clamp } = boundedRulesOf(field, bounds);
  return {
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && !clamp && { maximum: Number(maximum) }),
  };
}
