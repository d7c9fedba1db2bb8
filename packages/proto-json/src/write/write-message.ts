import { type DescField, type DescMessage, type MessageShape, toJson } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, type Struct, StructSchema } from '@bufbuild/protobuf/wkt';
import { asCameField, jsonNameOf, publicFields, rulesOf } from '../field-rules.ts';
import { wellKnownKind } from '../well-known.ts';
import { itemWriter } from './write-value.ts';

export type JsonRecord = Record<string, unknown>;

type Source = Record<string, unknown>;
type WriteField = (message: Source, json: JsonRecord) => void;

const compiled = new WeakMap<DescMessage, (message: Source) => JsonRecord>();

/**
 * Writes a message's public JSON: proto names, or the declared replacements, in order of declaration. Fields without
 * presence are always printed, even if empty, 0 or false (except an enum at 0). Optional ones are printed if set, or as
 * null if declared nullable. Enum values unknown to this home are omitted.
 */
export function writeMessage<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): JsonRecord {
  return compile(schema)(message as unknown as Source);
}

/** Writes the same as JSON text. */
export function writeJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return JSON.stringify(writeMessage(schema, message));
}

function compile(desc: DescMessage): (message: Source) => JsonRecord {
  const known = compiled.get(desc);
  if (known) return known;
  if (wellKnownKind(desc) === 'struct') {
    // A response that is itself free-form: a signed record.
    return (message) => toJson(StructSchema, message as unknown as Struct) as JsonRecord;
  }
  const fields: WriteField[] = [];
  const asCame = asCameField(desc)?.localName;
  const write = (message: Source): JsonRecord => {
    const came = asCame === undefined ? undefined : message[asCame];
    if (came !== undefined) return JSON.parse(came as string) as JsonRecord;
    const json: JsonRecord = {};
    for (const writeField of fields) writeField(message, json);
    return json;
  };
  // Registered before its fields are compiled, because a message may contain itself.
  compiled.set(desc, write);
  for (const field of publicFields(desc)) fields.push(fieldWriter(field));
  return write;
}

function fieldWriter(field: DescField): WriteField {
  const { localName } = field;
  const name = jsonNameOf(field);
  const write = itemWriter(field, compile) as (value: unknown) => unknown;
  if (field.fieldKind === 'list') {
    const { omitEmpty } = rulesOf(field);
    return (message, json) => {
      const items = message[localName] as unknown[];
      if (items.length > 0 || !omitEmpty) json[name] = items.map(write).filter(isKnown);
    };
  }
  if (field.fieldKind === 'map') {
    return (message, json) => {
      json[name] = writeMap(message[localName] as Source, write);
    };
  }
  const read = valueGetter(field);
  if (isAlwaysPrinted(field)) {
    return (message, json) => {
      json[name] = write(read(message));
    };
  }
  const { nullable } = rulesOf(field);
  return (message, json) => {
    const value = read(message);
    const written = value === undefined ? undefined : write(value);
    if (written !== undefined) json[name] = written;
    else if (nullable) json[name] = null;
  };
}

function valueGetter(field: DescField): (message: Source) => unknown {
  const { localName } = field;
  const oneof = field.oneof?.localName;
  if (oneof === undefined) return (message) => message[localName];
  return (message) => {
    const member = message[oneof] as { case?: string; value?: unknown };
    return member.case === localName ? member.value : undefined;
  };
}

/** True if a field is in every response, whatever its value. */
function isAlwaysPrinted(field: DescField): boolean {
  return field.fieldKind === 'scalar' && field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

function writeMap(map: Source, write: (value: unknown) => unknown): JsonRecord {
  const entries = Object.entries(map).map(([key, value]) => [key, write(value)] as const);
  // Object.fromEntries makes every key a member, `__proto__` included.
  return Object.fromEntries(entries.filter(([, value]) => isKnown(value)));
}

function isKnown(value: unknown): boolean {
  return value !== undefined;
}
