import { badRequest } from '@hearth/errors';

/** The parameters of a query string by name; a repeated one has its values in order. */
export type Query = Record<string, string | string[]>;

const maxParameters = 100;
const none: Query = Object.freeze(Object.create(null) as Query);

/**
 * Parses a query string as forms write it. Unlike URLSearchParams, it refuses invalid percent-encoded UTF-8
 * instead of replacing characters. Throws bad_request.
 */
export function parseQuery(text: string): Query {
  if (text === '') return none;
  // Without a prototype `__proto__` is a name like any other.
  const query = Object.create(null) as Query;
  const parts = text.split('&', maxParameters + 1);
  if (parts.length > maxParameters)
    throw badRequest(`give at most ${maxParameters} query parameters`, { code: 'bad_field' });
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw badRequest('the query holds a malformed percent-encoding; encode it as UTF-8', {
      code: 'bad_field',
    });
  }
}
