import { createHash } from 'node:crypto';
import { asTyped } from '@hearth/addresses';

const codeShape = /^[0-9A-Za-z]{22}$/;
const idShape = /^inv_[0-9a-f]{32}$/;

/**
 * Extracts an invite's code or id from the bare text or a full link, with or without its scheme and host.
 * Null for any other text and for links to other homes.
 *
 * @param siteUrl base of this home's links: https://hearth.example
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

/** The stored form of a code. */
export function hashCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

export function linkOf(siteUrl: string, code: string): string {
  return `${siteUrl}/i/${code}`;
}
