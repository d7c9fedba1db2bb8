import { createHash } from 'node:crypto';

/** What makes two requests the same under one request_id: the body without the id itself. */
export function requestDigest(parts: readonly (string | number | undefined)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
