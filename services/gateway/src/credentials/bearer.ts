import { unauthenticated } from '@hearth/errors';

/** The characters of a bearer credential (RFC 6750). The maximum length is far above that of any key. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;
const maxLength = 1_024;

/**
 * The credential of an Authorization header; undefined without the header. Throws unauthenticated for any
 * other scheme or format.
 */
export function readBearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const token = header.length <= maxLength ? bearer.exec(header)?.[1] : undefined;
  if (token === undefined) throw unauthenticated('send your key as "Authorization: Bearer <key>"');
  return token;
}
