const alphabet = /^[A-Za-z0-9_-]*$/;

export function encodeBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/**
 * Decodes strict base64url as in RFC 7515 (no padding, no line breaks, no stray bits in the last character); null for
 * anything else. No two texts decode to the same bytes.
 */
export function decodeBase64url(text: string): Buffer | null {
  if (!alphabet.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
