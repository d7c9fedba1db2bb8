import { hash } from 'node:crypto';
import { canonicalize } from './canonicalize.ts';

/**
 * Returns `sha-256:<base64url>` over bytes as they are, or over the JCS of a JSON value (so a string counts with its
 * quotes). Every digest in records has this form.
 */
export function digest(bytesOrValue: unknown): string {
  const data = bytesOrValue instanceof Uint8Array ? bytesOrValue : canonicalize(bytesOrValue);
  return `sha-256:${hash('sha256', data, 'base64url')}`;
}
