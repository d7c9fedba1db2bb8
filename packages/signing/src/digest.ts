import { hash } from 'node:crypto';
import { canonicalize } from './canonicalize.ts';

/**
 * `sha-256:<base64url>` over bytes as they stand, or over the JCS of a JSON value (so a string counts
 * as a JSON text with its quotes). The form of every digest in records.
 */
export function digest(bytesOrValue: unknown): string {
  const data = bytesOrValue instanceof Uint8Array ? bytesOrValue : canonicalize(bytesOrValue);
  return `sha-256:${hash('sha256', data, 'base64url')}`;
}
