import { badField, HearthError } from '@hearth/errors';
import { nearest } from '../nearest.ts';

const longestQuote = 40;
const longestField = 200;

/** Returns `value` for an error message: quoted, truncated, invisible characters escaped. */
export function quote(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > longestQuote ? `${value.slice(0, longestQuote)}...` : value);
  }
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** The error for a name missing from `known`; `where` is the path up to it ('' or 'slots[2].'). */
export function unknownField(name: string, known: Iterable<string>, where = '', kind = 'field'): HearthError {
  const names = [...known];
  const near = nearest(name, names);
  const hint = near === null ? '' : `; did you mean ${quote(where + near)}?`;
  const list = names.length === 0 ? `There are no ${kind}s here` : `Known ${kind}s: ${names.join(', ')}`;
  const shown = where.length + name.length > longestField ? name.slice(0, longestQuote) : name;
  return new HearthError('bad_request', `there is no ${kind} ${quote(where + name)}${hint || '.'} ${list}`, {
    code: 'unknown_field',
    field: where + shown,
  });
}

/** The error for a name that the enum doesn't have. */
export function unknownName(path: string, value: unknown, names: readonly string[]): HearthError {
  const near = typeof value === 'string' ? nearest(value, names) : null;
  const hint = near === null ? '' : ` (did you mean ${near}?)`;
  return badField(path, `must be one of ${names.join(', ')}; got ${quote(value)}${hint}`);
}

/** "1 to 20", "at least 1" or "at most 20", for the given bounds. */
export function rangeWords(
  minimum: number | bigint | undefined,
  maximum: number | bigint | undefined,
): string {
  if (minimum === undefined) return `at most ${maximum}`;
  if (maximum === undefined) return `at least ${minimum}`;
  return minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
}
