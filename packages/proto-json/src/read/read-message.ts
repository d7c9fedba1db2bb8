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
  /** Puts the value of an unset field; null where there is none. */
  clear: ((message: Draft) => void) | null;
  set(message: Draft, value: unknown, path: string): void;
}

/** Reads messages of any type; each type is compiled when it is first met, and kept. */
export interface Reader {
  /** The numbers of the limits that fields name. */
  bounds: Bounds;
  /**
   * Reads a caller's public JSON into a message: fields by their proto names, every rule of options.proto checked.
   * Throws HearthError `bad_field` or `unknown_field` with the field's path for the first mistake. The rules bound all
   * but the size of `json` as a whole, which the caller of this function bounds.
   */
  readMessage<Desc extends DescMessage>(schema: Desc, json: unknown): MessageShape<Desc>;
}

export interface ReaderOptions {
  /** The numbers of the limits that fields name. */
  bounds: Bounds;
  /** The name of this home: r:<home>:<id> of it is taken as the id. */
  ownHome?: string;
  /** Between homes a member that the type does not have is left out; else it is refused. */
  ignoreUnknown?: boolean;
  /** A word that an enum does not have counts as none, and a sentence is refused: another home may be of a later version. */
  unknownWords?: boolean;
  /** Reads what another home answers: types are checked and texts cleaned, and no rule holds that is for callers. */
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

/** @param keep called with the reader before its fields are compiled, since a message may hold itself */
function compile(desc: DescMessage, reading: Reading, keep: (read: ReadValue) => void): ReadValue {
  const fields: CompiledField[] = [];
  const names = new Set<string>();
  let failure: unknown;
  const read: ReadValue = (json, path, depth) => {
    // A half compiled reader would let fields through that it does not know.
    if (failure !== undefined) throw failure;
    if (!isObject(json)) throw notAnObject(path);
    if (depth >= maxDepth) throw badField(path, `must not nest deeper than ${maxDepth} levels`);
    const prefix = path === '' ? '' : `${path}.`;
    for (const key of Object.keys(json)) {
      if (names.has(key) || reading.ignoreUnknown) continue;
      // A member may tell which names there are, as the kind of a key does: where it is wrong, that explains the unknown name.
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
  // `json[name]` reads the caller's member only where no object has such a member by itself.
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

/** The value of an unset singular field in a message: undefined where presence is tracked. */
function zeroOf(field: DescField): unknown {
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  if (field.fieldKind === 'enum') return 0;
  return field.fieldKind === 'scalar' ? scalarZeroValue(field.scalar, field.longAsString) : undefined;
}
