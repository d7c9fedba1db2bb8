import type { DescField, DescMessage, MessageShape } from '@bufbuild/protobuf';
import { scalarZeroValue } from '@bufbuild/protobuf/reflect';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, type HearthError, internal, timeZoneNeeded } from '@hearth/errors';
import { FieldKind } from '@hearth/proto/options';
import { maxDepth } from '../bounds.ts';
import { type Bounds, publicFields, rulesOf } from '../field-rules.ts';
import { isObject } from './free-form-reader.ts';
import { fieldReader } from './read-field.ts';
import type { Reading, ReadValue } from './read-value.ts';
import { unknownField } from './refuse.ts';

type Draft = Record<string, unknown>;

interface CompiledField {
  name: string;
  required: boolean;
  missing(path: string): HearthError;
  read: ReadValue;
  /** Sets the value of an unset field; null if it has none. */
  clear: ((message: Draft) => void) | null;
  set(message: Draft, value: unknown, path: string): void;
}

/** Reads messages of any type. Each type is compiled on first use and cached. */
export interface Reader {
  /** The values of the limits that fields name. */
  bounds: Bounds;
  /**
   * Reads a caller's public JSON into a message: fields by their proto names, with every rule of options.proto checked.
   * Throws HearthError `bad_field` or `unknown_field` with the path of the first mistake. The caller must bound the
   * size of `json` as a whole.
   */
  readMessage<Desc extends DescMessage>(schema: Desc, json: unknown): MessageShape<Desc>;
}

export interface ReaderOptions {
  /** The values of the limits that fields name. */
  bounds: Bounds;
  /** The name of this home. Its ids may be written as r:<home>:<id>. */
  ownHome?: string;
  /** Ignores unknown members instead of refusing them; used between homes. */
  ignoreUnknown?: boolean;
  /**
   * Treats an unknown enum word as unset, because another home may run a later version. A sentence is still refused.
   */
  unknownWords?: boolean;
  /** Reads responses of other homes: types are checked and texts cleaned, but rules for callers don't apply. */
  answers?: boolean;
}

export function createReader({
  bounds,
  ownHome,
  ignoreUnknown = false,
  answers = false,
  unknownWords = false,
}: ReaderOptions): Reader {
  const compiled = new WeakMap<DescMessage, ReadValue>();
  const reading: Reading = {
    bounds,
    ownHome,
    ignoreUnknown,
    answers,
    unknownWords,
    ofMessage: (desc) => compiled.get(desc) ?? compile(desc, reading, (read) => compiled.set(desc, read)),
  };
  return {
    bounds,
    readMessage: (schema, json) => reading.ofMessage(schema)(json, '', 0) as MessageShape<typeof schema>,
  };
}

/** @param keep called with the reader before its fields are compiled, because a message may contain itself */
function compile(desc: DescMessage, reading: Reading, keep: (read: ReadValue) => void): ReadValue {
  const fields: CompiledField[] = [];
  const names = new Set<string>();
  let failure: unknown;
  const read: ReadValue = (json, path, depth) => {
    // A half-compiled reader would accept fields it doesn't know.
    if (failure !== undefined) throw failure;
    if (!isObject(json)) throw notAnObject(path);
    if (depth >= maxDepth) throw badField(path, `must not nest deeper than ${maxDepth} levels`);
    const prefix = path === '' ? '' : `${path}.`;
    for (const key of Object.keys(json)) {
      if (names.has(key) || reading.ignoreUnknown) continue;
      // A member may determine the valid names, as a key's kind does. If it is wrong, its error explains the unknown
      // name.
      if (path !== '') checkGiven(json, prefix, depth);
      throw unknownField(key, names, prefix);
    }
    const message: Draft = { $typeName: desc.typeName };
    for (const field of fields) {
      const value = json[field.name];
      if (value !== undefined && value !== null) {
        const fieldPath = prefix + field.name;
        field.set(message, field.read(value, fieldPath, depth + 1), fieldPath);
      } else if (field.required) {
        throw field.missing(prefix + field.name);
      } else if (field.clear !== null) {
        field.clear(message);
      }
    }
    return message;
  };
  const checkGiven = (json: Draft, prefix: string, depth: number) => {
    for (const { name, read: readValue } of fields) {
      const value = json[name];
      if (value !== undefined && value !== null) readValue(value, prefix + name, depth + 1);
    }
  };
  keep(read);
  try {
    for (const field of publicFields(desc)) {
      names.add(field.name);
      fields.push(compileField(field, reading));
    }
  } catch (error) {
    failure = error;
    throw error;
  }
  return read;
}

function notAnObject(path: string): Error {
  if (path !== '') return badField(path, 'must be an object');
  return badRequest('the request must be a JSON object', { code: 'bad_json' });
}

function compileField(field: DescField, reading: Reading): CompiledField {
  // `json[name]` is the caller's member only if no object has that property by itself.
  if (field.name in Object.prototype) throw internal(`${field.toString()}: a field cannot have this name`);
  const { name, localName } = field;
  const { kind, required } = rulesOf(field);
  const common = {
    name,
    required: !reading.answers && required,
    missing:
      kind === FieldKind.TIME_ZONE
        ? (path: string) => timeZoneNeeded(undefined, path)
        : (path: string) => badField(path, 'is required'),
    read: fieldReader(field, reading),
  };
  if (field.oneof) return { ...common, ...oneofAccess(field, field.oneof) };
  return {
    ...common,
    clear: clearOf(field),
    set: (message, value) => {
      message[localName] = value;
    },
  };
}

function oneofAccess(
  field: DescField,
  oneof: NonNullable<DescField['oneof']>,
): Pick<CompiledField, 'clear' | 'set'> {
  const names = oneof.fields.map((member) => member.name).join(', ');
  return {
    clear: (message) => {
      message[oneof.localName] ??= { case: undefined };
    },
    set: (message, value, path) => {
      const present = message[oneof.localName] as { case?: string } | undefined;
      if (present?.case !== undefined) throw badField(path, `give only one of ${names}`);
      message[oneof.localName] = { case: field.localName, value };
    },
  };
}

function clearOf(field: DescField): CompiledField['clear'] {
  const { localName } = field;
  if (field.fieldKind === 'list') {
    return (message) => {
      message[localName] = [];
    };
  }
  if (field.fieldKind === 'map') {
    return (message) => {
      message[localName] = {};
    };
  }
  const zero = zeroOf(field);
  if (zero === undefined) return null;
  return (message) => {
    message[localName] = zero;
  };
}

/** An unset singular field's value in a message; undefined if the field tracks presence. */
function zeroOf(field: DescField): unknown {
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  if (field.fieldKind === 'enum') return 0;
  return field.fieldKind === 'scalar' ? scalarZeroValue(field.scalar, field.longAsString) : undefined;
}
