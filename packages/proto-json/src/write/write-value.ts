import { type DescField, type DescMessage, ScalarType, toJson } from '@bufbuild/protobuf';
import { ListValueSchema, type Timestamp, ValueSchema } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { internal } from '@hearth/errors';
import { isObjectText } from '../field-rules.ts';
import { printTimestamp } from '../timestamp.ts';
import { wellKnownKind } from '../well-known.ts';

/** Converts a message's value to JSON; undefined for an enum value without a name. */
export type WriteValue = (value: never) => unknown;

/** Returns the writer of a single value: a list's item, or a map entry's value. */
export function itemWriter(field: DescField, ofMessage: (desc: DescMessage) => WriteValue): WriteValue {
  if (field.enum !== undefined) {
    const { nameOf } = enumNames(field.enum);
    return (value: number) => nameOf(value) || undefined;
  }
  if (field.message !== undefined) return messageWriter(field, field.message, ofMessage);
  // Unset, it is an empty object.
  if (isObjectText(field)) return (text: string) => (text === '' ? {} : JSON.parse(text));
  switch (field.scalar) {
    case ScalarType.BYTES:
      return (value: Uint8Array) =>
        Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64url');
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return writeLong;
    default:
      return (value: unknown) => value;
  }
}

function messageWriter(
  field: DescField,
  message: DescMessage,
  ofMessage: (desc: DescMessage) => WriteValue,
): WriteValue {
  switch (wellKnownKind(message)) {
    case 'timestamp':
      return (value: Timestamp) => printTimestamp(value);
    case 'struct':
      return (value: unknown) => value;
    case 'value':
      return (value) => toJson(ValueSchema, value);
    case 'list_value':
      return (value) => toJson(ListValueSchema, value);
    case 'unsupported':
      return () => {
        throw internal(
          `${field.toString()} is of type ${message.typeName}, which the public JSON does not have`,
        );
      };
    default:
      return ofMessage(message);
  }
}

/** A number if JSON can represent it exactly, otherwise a decimal string. */
function writeLong(value: bigint | string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
