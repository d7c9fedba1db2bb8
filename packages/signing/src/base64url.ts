const alphabet = /^[A-Za-z0-9_-]*$/;

export function encodeBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/**
 * The bytes behind `text` when it is base64url exactly as RFC 7515 writes it (no padding, no line
 * breaks, no stray bits in the last character), else null. Two texts never stand for the same bytes.
 */
export function decodeBase64url(text: string): Buffer | null {
  if (!alphabet.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
