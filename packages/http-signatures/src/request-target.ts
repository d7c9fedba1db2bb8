/** Unreserved characters (RFC 3986); every other byte is percent-encoded. */
const unreserved = /^[A-Za-z0-9._~-]*$/;

/** Encodes a path segment, or a query name or value, in the canonical form that is signed. */
export function encodePart(text: string): string {
  if (unreserved.test(text)) return text;
  return [...Buffer.from(text)].map((byte) => encodeByte(byte)).join('');
}

function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return byte < 0x80 && unreserved.test(character)
    ? character
    : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * The `@target-uri` of a request under an endpoint, normalized so that re-encoding proxies don't matter; null if the
 * path
 * contains invalid escapes.
 *
 * @param endpoint as in the home's document, without a trailing slash
 * @param path the part after the endpoint, with its query, as received: `/cards/%40ana?for=x`
 */
export function targetUri(endpoint: string, path: string): string | null {
  const [, route = '', query] = /^([^?#]*)(?:\?([^#]*))?$/.exec(path) ?? [];
  if (!route.startsWith('/')) return null;
  try {
    const written = route.split('/').map(rewrite).join('/');
    if (query === undefined) return `${endpoint}${written}`;
    const pairs = query.split('&').map((pair) => splitPair(pair).map(rewrite).join('='));
    return `${endpoint}${written}?${pairs.join('&')}`;
  } catch {
    return null;
  }
}

function rewrite(part: string): string {
  return encodePart(decodeURIComponent(part));
}

function splitPair(pair: string): string[] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
}
