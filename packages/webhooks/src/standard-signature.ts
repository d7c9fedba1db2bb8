import { createHmac, timingSafeEqual } from 'node:crypto';

const prefix = 'whsec_';
const fewestBytes = 24;
const mostBytes = 64;

/** The bytes of a Standard Webhooks secret: `whsec_` and base64 of 24 to 64 bytes. Null if malformed. */
export function readStandardSecret(text: string): Buffer | null {
  const base64 = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  // Verifiers decode strictly, so the text must be canonical base64.
  if (bytes.toString('base64') !== base64) return null;
  return bytes.length >= fewestBytes && bytes.length <= mostBytes ? bytes : null;
}

/**
 * The symmetric entries of the header webhook-signature: `v1,` and base64 of HMAC-SHA256 over
 * `id.timestamp.body`, one for each secret.
 *
 * @param unixSeconds the value of the header webhook-timestamp
 * @param body exactly as sent
 */
export function signStandard(
  secrets: readonly Uint8Array[],
  { id, unixSeconds, body }: { id: string; unixSeconds: number; body: string },
): string[] {
  return secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${unixSeconds}.${body}`).digest('base64')}`,
  );
}

/** Compares two texts in constant time. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
