import { createHash } from 'node:crypto';
import { asTyped } from '@hearth/addresses';

const codeShape = /^[0-9A-Za-z]{22}$/;
const idShape = /^inv_[0-9a-f]{32}$/;

/**
 * The code or the id of an invite in a text: the bare one, or the whole link, with or without its beginning. Null for any
 * other text, and for a link to another home.
 *
 * @param siteUrl where this home's links lead: https://hearth.example
 */
export function readInviteReference(
  given: string,
  siteUrl: string,
): { code: string } | { id: string } | null {
  const text = asTyped(given).replace(/\s/g, '');
  const bare = codeShape.test(text) || idShape.test(text) ? text : behindLink(text, siteUrl);
  if (codeShape.test(bare)) return { code: bare };
  return idShape.test(bare) ? { id: bare } : null;
}

function behindLink(text: string, siteUrl: string): string {
  const { origin, protocol } = new URL(siteUrl);
  const url = URL.parse(text.includes('://') ? text : `${protocol}//${text}`);
  if (url === null || url.origin !== origin) return '';
  return /^\/i\/([^/]+)\/?$/.exec(url.pathname)?.[1] ?? '';
}

/** The form in which a code is stored. */
export function hashCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

export function linkOf(siteUrl: string, code: string): string {
  return `${siteUrl}/i/${code}`;
}
