import { HearthError } from '@hearth/errors';
import { maxSignedDepth, printPath } from './profile.ts';

export interface CanonicalizeOptions {
  /** Accepts any finite number, as RFC 8785 does. Default false: signed objects hold integers only. */
  floats?: boolean;
  /** The deepest nesting accepted (default 32). */
  maxDepth?: number;
}

/** Thrown on the way down and given its path on the way up, so that valid values pay nothing for it. */
class Refusal {
  readonly path: (string | number)[] = [];
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes the control characters.
const needsNoEscape = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

/**
 * Returns the canonical text of a JSON value under RFC 8785 (JCS), within the profile of signed objects: integers
 * within +/-(2^53-1), no lone surrogates, depth at most 32, only plain objects and arrays. Skips members that are
 * `undefined`, as JSON.stringify does. Throws bad_request with the path of the invalid value.
 */
export function canonicalize(value: unknown, options: CanonicalizeOptions = {}): string {
  try {
    return write(value, 1, options.floats === true, options.maxDepth ?? maxSignedDepth);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const place = printPath(thrown.path.reverse());
    throw new HearthError('bad_request', `this cannot be signed: ${place}: ${thrown.reason}`, {
      code: 'bad_json',
      field: place,
    });
  }
}

function write(value: unknown, depth: number, floats: boolean, maxDepth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return writeNumber(value, floats);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth > maxDepth) throw new Refusal(`nested deeper than ${maxDepth}`);
      if (Array.isArray(value)) return writeArray(value, depth, floats, maxDepth);
      return writeObject(value as Record<string, unknown>, depth, floats, maxDepth);
    default:
      throw new Refusal(`a value of type ${typeof value} has no place in JSON`);
  }
}

function writeString(value: string): string {
  if (needsNoEscape.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) throw new Refusal('a surrogate stands alone in the text');
  return JSON.stringify(value);
}

function writeNumber(value: number, floats: boolean): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new Refusal(`${value} has no place in JSON`);
  if (floats) return String(value);
  throw new Refusal('only integers within +/-(2^53-1) are taken; write any other number as text');
}

function writeArray(value: unknown[], depth: number, floats: boolean, maxDepth: number): string {
  let text = '[';
  for (let index = 0; index < value.length; index += 1) {
    if (index > 0) text += ',';
    try {
      text += write(value[index], depth + 1, floats, maxDepth);
    } catch (thrown) {
      if (thrown instanceof Refusal) thrown.path.push(index);
      throw thrown;
    }
  }
  return `${text}]`;
}

function writeObject(
  value: Record<string, unknown>,
  depth: number,
  floats: boolean,
  maxDepth: number,
): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  // JSON.parse of another realm (a worker, a test sandbox) uses another Object.prototype: exactly one level.
  if (prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new Refusal('only plain objects are taken; turn this one into JSON values first');
  }
  let text = '{';
  // sort() compares UTF-16 code units by default, as RFC 8785 3.2.3 requires.
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    try {
      text += `${text.length > 1 ? ',' : ''}${writeString(name)}:${write(member, depth + 1, floats, maxDepth)}`;
    } catch (thrown) {
      if (thrown instanceof Refusal) thrown.path.push(name);
      throw thrown;
    }
  }
  return `${text}}`;
}
