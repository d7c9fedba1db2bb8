import { hash } from 'node:crypto';

/** A strong entity tag of the exact text (RFC 9110, section 8.8.3): 96 bits of SHA-256. */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 16)}"`;
}

/** Whether the client's tags include `etag`; unquoted and weak tags match too. */
export function holds(etag: string, ...given: (string | undefined)[]): boolean {
  return given.some((list) => list?.split(',').some((tag) => isSame(tag.trim(), etag)));
}

function isSame(tag: string, etag: string): boolean {
  if (tag === '*') return true;
  const strong = tag.startsWith('W/') ? tag.slice(2) : tag;
  return strong === etag || `"${strong}"` === etag;
}
