import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { asTyped } from '@hearth/addresses';
import { badField, badRequest, internal } from '@hearth/errors';
import { isObject } from './read/free-form-reader.ts';
import { quote, unknownField } from './read/refuse.ts';
import { wellKnownKind } from './well-known.ts';
import type { JsonRecord } from './write/write-message.ts';

/** The decoded path parameters of a route, by field name. */
export type PathParams = Readonly<Record<string, string>>;

export type QueryInput = URLSearchParams | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Builds the JSON of a request without a body from its query and path parameters, by field name and with the fields'
 * types. "true" becomes true for a boolean; "ten" for a number stays text, and `readMessage` refuses it. A list repeats
 * its parameter. Throws HearthError for an unknown or repeated parameter.
 */
export function readQuery(schema: DescMessage, query: QueryInput, path: PathParams = {}): JsonRecord {
  const fields = fieldsByName(schema);
  const json: JsonRecord = {};
  for (const [name, values] of groupValues(query)) {
    const field = fields.get(name);
    if (!field) throw unknownField(name, parameterNames(schema, path), '', 'parameter');
    json[name] = queryValue(field, values);
  }
  return addPath(schema, json, path, 'query');
}

/**
 * Builds the JSON of a request with `body: "*"` from the body's members and the path parameters. A missing body counts
 * as an empty object. Throws HearthError if the body is no object, or repeats a path parameter with another value.
 */
export function readBody(schema: DescMessage, body: unknown, path: PathParams = {}): JsonRecord {
  if (body === undefined) return addPath(schema, {}, path, 'body');
  if (!isObject(body)) throw badRequest('the body must be a JSON object', { code: 'bad_json' });
  return addPath(schema, { ...body }, path, 'body');
}

function addPath(schema: DescMessage, json: JsonRecord, path: PathParams, other: string): JsonRecord {
  for (const [name, text] of Object.entries(path)) {
    const field = fieldsByName(schema).get(name);
    if (!field) throw internal(`${schema.typeName} has no field ${name}, which its path names`);
    const given = json[name];
    if (given !== undefined && given !== null && !isSame(given, text)) {
      throw badField(name, `is ${quote(text)} in the path and ${quote(given)} in the ${other}; give it once`);
    }
    json[name] = fromText(field, text);
  }
  return json;
}

function isSame(given: unknown, text: string): boolean {
  // Only scalars have a safe text: `String` of an object from a caller may throw.
  const isScalar = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isScalar && String(given) === text;
}

function queryValue(field: DescField, values: string[]): unknown {
  if (field.fieldKind === 'map' || (field.message && wellKnownKind(field.message) !== 'timestamp')) {
    throw badField(field.name, 'cannot be given as a parameter');
  }
  if (field.fieldKind === 'list') return values.map((value) => fromText(field, value));
  if (values.length !== 1)
    throw badField(field.name, `must be given once; it was given ${values.length} times`);
  return fromText(field, values[0]!);
}

const wholeNumber = /^-?\d{1,15}$/;
const fraction = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Converts `given` to the JSON of the field's type; returns it unchanged if it doesn't parse. */
function fromText(field: DescField, given: string): unknown {
  if (field.enum !== undefined) return asTyped(given).toLowerCase();
  const text = field.scalar === ScalarType.STRING ? given : asTyped(given);
  switch (field.scalar) {
    case undefined:
      return given;
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return text;
    case ScalarType.BOOL:
      return { true: true, false: false }[text.toLowerCase()] ?? given;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return fraction.test(text) ? Number(text) : given;
    default:
      return wholeNumber.test(text) ? Number(text) : given;
  }
}

function groupValues(query: QueryInput): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string') throw badField(name, 'must be given as plain text');
    const values = groups.get(name);
    if (values) values.push(value);
    else groups.set(name, [value]);
  };
  if (query instanceof URLSearchParams) {
    for (const [name, value] of query) add(name, value);
    return groups;
  }
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const item of value) add(name, item);
    else if (value !== undefined) add(name, value);
  }
  return groups;
}

function parameterNames(schema: DescMessage, path: PathParams): string[] {
  return schema.fields.map((field) => field.name).filter((name) => !(name in path));
}

const compiled = new WeakMap<DescMessage, Map<string, DescField>>();

function fieldsByName(schema: DescMessage): Map<string, DescField> {
  let fields = compiled.get(schema);
  if (!fields) {
    fields = new Map(schema.fields.map((field) => [field.name, field]));
    compiled.set(schema, fields);
  }
  return fields;
}
