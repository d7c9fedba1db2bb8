import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import { enumWords } from '../enum-words.ts';
import { maxItemsOf, rulesOf, textRulesOf } from '../field-rules.ts';
import { wellKnownKind } from '../well-known.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema of a field's whole value; `reference` gives that of a message. */
export function valueSchema(field: DescField, reference: (desc: DescMessage) => JsonSchema): JsonSchema {
  const item = itemSchema(field, reference);
  const { minItems, maxItems } = rulesOf(field);
  if (field.fieldKind === 'list') {
    return {
      type: 'array',
      items: item,
      ...(minItems > 0 && { minItems }),
      ...(maxItems > 0 && { maxItems: maxItemsOf(field) }),
    };
  }
  if (field.fieldKind === 'map') {
    return { type: 'object', additionalProperties: item, ...(maxItems > 0 && { maxProperties: maxItems }) };
  }
  return item;
}

function itemSchema(field: DescField, reference: (desc: DescMessage) => JsonSchema): JsonSchema {
  if (field.enum) return { type: 'string', enum: enumWords(field.enum).words };
  if (field.message) return messageSchema(field, field.message, reference);
  switch (field.scalar) {
    case ScalarType.STRING:
      return textSchema(field);
    case ScalarType.BYTES:
      return { type: 'string', pattern: '^[A-Za-z0-9_-]*$', contentEncoding: 'base64url' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { type: 'number', ...bounds(field) };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: 'integer', minimum: 0, ...bounds(field) };
    default:
      return { type: 'integer', ...bounds(field) };
  }
}

function messageSchema(
  field: DescField,
  message: DescMessage,
  reference: (desc: DescMessage) => JsonSchema,
): JsonSchema {
  switch (wellKnownKind(message)) {
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'struct':
      return { type: 'object', additionalProperties: true };
    case 'value':
      return {};
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

/** Only limits that the field declares: the defaults are bounds on what is sent, not on what is answered. */
function textSchema(field: DescField): JsonSchema {
  const { minLength, maxLength, id } = rulesOf(field);
  const { pattern } = textRulesOf(field);
  return {
    type: 'string',
    ...(minLength > 0 && { minLength }),
    ...(maxLength > 0 && id.length === 0 && { maxLength }),
    ...(pattern !== null && { pattern: `^(?:${pattern})$` }),
  };
}

/** A number above a clamping maximum is taken, so that it is no bound of what may be sent. */
function bounds(field: DescField): JsonSchema {
  const { minimum, maximum, clamp } = rulesOf(field);
  return {
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && !clamp && { maximum: Number(maximum) }),
  };
}
