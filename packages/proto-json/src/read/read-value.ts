import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { asTyped } from '@hearth/addresses';
import { enumNames } from '@hearth/enum-names';
import { badField, internal } from '@hearth/errors';
import { type Bounds, choicesOf, isObjectText, maxJsonBytesOf, valuesOf } from '../field-rules.ts';
import { parseTimestamp, readTypedTimestamp } from '../timestamp.ts';
import { wellKnownKind } from '../well-known.ts';
import { listValueReader, objectTextReader, structReader, valueReader } from './free-form-reader.ts';
import { numberReader } from './number-reader.ts';
import { unknownName } from './refuse.ts';
import { bytesReader, readAnswerText, textReader } from './text-reader.ts';

/**
 * Converts a JSON value, never null, to the value of a message's field, or throws a HearthError with `path`. `depth` is
 * the number of levels above the value.
 */
export type ReadValue = (value: unknown, path: string, depth: number) => unknown;

/** The inputs of every field's reader. */
export interface Reading {
  bounds: Bounds;
  ownHome?: string | undefined;
  ignoreUnknown?: boolean;
  /** See ReaderOptions.answers. */
  answers?: boolean;
  /** See ReaderOptions.unknownWords. */
  unknownWords?: boolean;
  /** Returns the reader of a nested message. */
  ofMessage(desc: DescMessage): ReadValue;
}

/** Returns the reader of a single value: a list's item, or a map entry's value. */
export function itemReader(field: DescField, reading: Reading): ReadValue {
  const read = readerOf(field, reading);
  // Another home may run a later version.
  const choices = reading.answers ? null : choicesOf(field);
  return choices === null ? read : choiceReader(choices, read, reading);
}

function choiceReader(
  choices: readonly string[],
  read: ReadValue,
  { unknownWords }: Pick<Reading, 'unknownWords'>,
): ReadValue {
  return (given, path, depth) => {
    const value = read(given, path, depth);
    const text = String(value);
    if (choices.includes(text) || (unknownWords && unknownWord.test(text))) return value;
    throw unknownName(path, given, choices);
  };
}

function readerOf(field: DescField, reading: Reading): ReadValue {
  const { bounds } = reading;
  if (field.enum !== undefined) return enumReader(field.enum, valuesOf(field), reading);
  if (field.message !== undefined) return messageReader(field, field.message, reading);
  switch (field.scalar) {
    case ScalarType.STRING:
      if (isObjectText(field)) return objectTextReader(maxJsonBytesOf(field, bounds));
      return reading.answers
        ? readAnswerText
        : textReader(field, bounds, { ownHome: reading.ownHome, typed: isTyped(reading) });
    case ScalarType.BYTES:
      return bytesReader(field, bounds);
    case ScalarType.BOOL:
      return readBoolean;
    default:
      return numberReader(field, bounds);
  }
}

function messageReader(field: DescField, message: DescMessage, reading: Reading): ReadValue {
  // A response of another home is bounded by the item that carries it.
  const mostBytes = reading.answers ? Number.POSITIVE_INFINITY : maxJsonBytesOf(field, reading.bounds);
  switch (wellKnownKind(message)) {
    case 'timestamp':
      return timestampReader(isTyped(reading) ? readTypedTimestamp : parseTimestamp);
    case 'struct':
      return structReader(mostBytes);
    case 'value':
      return valueReader(mostBytes);
    case 'list_value':
      return listValueReader(mostBytes);
    case 'unsupported':
      return () => {
        throw internal(
          `${field.toString()} is of type ${message.typeName}, which the public JSON does not have`,
        );
      };
    default:
      return reading.ofMessage(message);
  }
}

const isTyped = ({ answers, ignoreUnknown }: Pick<Reading, 'answers' | 'ignoreUnknown'>): boolean =>
  answers !== true && ignoreUnknown !== true;

/** Another home may run a later version, with values unknown here. */
function enumReader(desc: DescEnum, names: readonly string[], reading: Reading): ReadValue {
  const { answers, unknownWords } = reading;
  const known = enumNames(desc);
  const typed = isTyped(reading);
  return (value, path) => {
    if (typeof value === 'string') {
      if (names.includes(value)) return known.valueOf(value);
      if (answers || (unknownWords && unknownWord.test(value))) return 0;
      const word = typed ? asTyped(value).toLowerCase() : value;
      if (names.includes(word)) return known.valueOf(word);
    }
    throw unknownName(path, value, names);
  };
}

/** A word that another home may use for a value; never a sentence. */
export const unknownWord = /^[a-z][a-z0-9_]{0,39}$/;

const readBoolean: ReadValue = (value, path) => {
  if (typeof value !== 'boolean') throw badField(path, 'must be true or false');
  return value;
};

/** @param parse lenient for callers; homes write times in one form */
function timestampReader(parse: typeof parseTimestamp): ReadValue {
  return (value, path) => {
    const time = typeof value === 'string' ? parse(value) : null;
    if (time === null)
      throw badField(path, 'must be a time such as 2026-07-01T09:30:00Z, with Z or an offset');
    return time;
  };
}
