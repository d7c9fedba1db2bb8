import { hash } from 'node:crypto';
import { badRequest } from '@hearth/errors';

/** Requests with the same request_id are equal if their bodies are, leaving out the id itself. */
export function requestDigest(parts: readonly (string | number | undefined)[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}

/** @throws bad_request `request_id_reused` if the request_id was used with another body */
export function checkSame<Kept extends { digest: Buffer }>(
  request: { digest: Buffer },
  kept: Kept | null,
): asserts kept is Kept {
  if (kept?.digest.equals(request.digest)) return;
  throw badRequest('this request_id was used before with another body; take a new one for a new request', {
    code: 'request_id_reused',
    field: 'request_id',
  });
}
