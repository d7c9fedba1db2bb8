import type { IncomingMessage } from 'node:http';
import { HearthError } from '@hearth/errors';

export interface RequestTarget {
  path: string;
  /** The text after the question mark; '' without a query. */
  query: string;
}

/**
 * Splits a request target into path and query. Proxies may send a whole URL as the target (RFC 9112, section
 * 3.2.2).
 */
export function splitTarget(target: string): RequestTarget {
  const question = target.indexOf('?');
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? '' : target.slice(question + 1);
  return { path: path.startsWith('/') ? path : withoutOrigin(path), query };
}

function withoutOrigin(target: string): string {
  return target.replace(/^https?:\/\/[^/]*/i, '') || '/';
}

/** The host of a request: from a whole URL as its target, or else the Host header (RFC 9112, section 3.2.2). */
export function hostOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return authority ?? headers.host ?? '';
}

export function methodNotAllowed(method: string | undefined, allow: string[]): HearthError {
  return new HearthError('method_not_allowed', `${method} is not taken here; use ${allow.join(', ')}`, {
    allow,
  });
}
