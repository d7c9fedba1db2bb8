/** As RFC 3986 lets stand alone; every other byte is written %XX. */
const unreserved = /^[A-Za-z0-9._~-]*$/;

/** A segment of a path, or a name or value of a query, in the one form that is signed. */
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
 * The `@target-uri` of a request under an endpoint, whatever a proxy on the way did to its escapes; null when the path
 * holds escapes that are none.
 *
 * @param endpoint as the home's document says, without a final slash
 * @param path behind the endpoint, with its query, as it came: `/cards/%40ana?for=x`
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
