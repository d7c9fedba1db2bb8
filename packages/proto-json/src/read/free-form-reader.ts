import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { ListValueSchema, ValueSchema } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { maxDepth } from '../bounds.ts';
import type { ReadValue } from './read-value.ts';

/** google.protobuf.Struct: any object within its bounds of size and depth. */
export function structReader(maxBytes: number): ReadValue {
  const check = checker(maxBytes);
  return (value, path, depth) => {
    if (!isObject(value)) throw badField(path, 'must be an object');
    check(value, path, depth);
    return value;
  };
}

/** An object that a string field carries as JSON text and passes on as it is, on its way to its reader. */
export function objectTextReader(maxBytes: number): ReadValue {
  return (value, path) => {
    if (!isObject(value)) throw badField(path, 'must be an object');
    const text = JSON.stringify(value);
    checkBytes(text, maxBytes, path);
    return text;
  };
}

/** google.protobuf.Value: any JSON except null, which means "not given". */
export function valueReader(maxBytes: number): ReadValue {
  const check = checker(maxBytes);
  return (value, path, depth) => {
    check(value, path, depth);
    return fromJson(ValueSchema, value as JsonValue);
  };
}

export function listValueReader(maxBytes: number): ReadValue {
  const check = checker(maxBytes);
  return (value, path, depth) => {
    if (!Array.isArray(value)) throw badField(path, 'must be a list');
    check(value, path, depth);
    return fromJson(ListValueSchema, value as JsonValue);
  };
}

function checker(maxBytes: number): (value: unknown, path: string, depth: number) => void {
  return (value, path, depth) => {
    checkJson(value, path, depth);
    checkBytes(JSON.stringify(value), maxBytes, path);
  };
}

function checkBytes(text: string, maxBytes: number, path: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw badField(path, `must have at most ${maxBytes} bytes of JSON; it has ${bytes}`);
}

/** Refuses values that google.protobuf.Value would change. */
function checkJson(value: unknown, path: string, depth: number): void {
  if (depth > maxDepth) throw badField(path, `must not nest deeper than ${maxDepth} levels`);
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') {
    checkString(value, path);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw badField(path, 'must hold no number that is too large for JSON');
  } else if (Array.isArray(value)) {
    for (const item of value) checkJson(item, path, depth + 1);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      checkKey(key, path);
      checkJson(value[key], path, depth + 1);
    }
  } else {
    throw badField(path, 'must be JSON');
  }
}

/** Refuses keys that would change an object's prototype instead of becoming a member. */
export function checkKey(key: string, path: string): void {
  if (key === '__proto__') throw badField(path, 'must have no member named "__proto__"');
  checkString(key, path);
}

function checkString(text: string, path: string): void {
  if (!text.isWellFormed()) throw badField(path, 'must be valid Unicode; it holds half of a surrogate pair');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
