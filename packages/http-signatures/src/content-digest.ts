import { hash } from 'node:crypto';
import { parseDictionary } from 'structured-headers';

/** The `Content-Digest` header of a body (RFC 9530), with sha-256 only. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`;
}

/** Whether the header is exactly the SHA-256 of the body. */
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
