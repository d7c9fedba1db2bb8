import { hash } from 'node:crypto';
import { parseDictionary } from 'structured-headers';

/** The header `Content-Digest` of a body (RFC 9530), by sha-256 alone. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`;
}

/** Whether the header says the SHA-256 of the body and nothing else. */
export function isDigestOf(header: string, body: Uint8Array): boolean {
  if (header === contentDigest(body)) return true;
  try {
    const digests = parseDictionary(header);
    const [value, parameters] = digests.get('sha-256') ?? [];
    const once = digests.size === 1 && !header.includes(',') && parameters?.size === 0;
    if (!once || !(value instanceof ArrayBuffer)) return false;
    return Buffer.from(value).equals(hash('sha256', body, 'buffer'));
  } catch {
    return false;
  }
}
