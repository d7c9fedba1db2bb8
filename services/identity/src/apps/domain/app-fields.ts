import { badField, type HearthError } from '@hearth/errors';

/** Visible ASCII: URLs are compared byte by byte, so lookalike letters are refused. */
const plain = /^[\x21-\x7e]+$/;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The redirect URIs of an app, unchanged: each is compared exactly with the one that a client sends. They are
 * https, or http on loopback (RFC 8252), without a fragment.
 *
 * @throws bad_request naming the first bad URI
 */
export function readRedirectUris(given: readonly string[]): string[] {
  given.forEach((text, index) => {
    const problem = redirectProblem(text);
    if (problem !== null) throw badField(`redirect_uris[${index}]`, problem);
  });
  return [...new Set(given)];
}

function redirectProblem(text: string): string | null {
  const url = plain.test(text) && !text.includes('\\') ? URL.parse(text) : null;
  if (url === null) return 'must be a whole address, such as https://app.example/callback';
  const onThisMachine = url.protocol === 'http:' && loopbackHosts.has(url.hostname);
  if (url.protocol !== 'https:' && !onThisMachine) {
    return 'must begin with https://, or with http:// on localhost, 127.0.0.1 or [::1]';
  }
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password';
  if (text.includes('#')) return 'must have no fragment (#...)';
  if (text.includes('*')) return 'must be one exact address; there are no wildcards';
  return null;
}

const everyType = 'all';

/**
 * The event types that an app subscribes to; empty for all.
 *
 * @param known all event types
 * @throws bad_request for an unknown type, or if `all` is not alone
 */
export function readEventTypes(given: readonly string[], known: readonly string[]): string[] {
  if (given.includes(everyType)) {
    if (given.length > 1) throw badField('event_types', 'must hold "all" alone, or the types that you want');
    return [];
  }
  given.forEach((type, index) => {
    if (!known.includes(type)) throw unknownType(index, known);
  });
  return known.filter((type) => given.includes(type));
}

function unknownType(index: number, known: readonly string[]): HearthError {
  return badField(`event_types[${index}]`, `is not an event type; there are: ${known.join(', ')}, or all`);
}
