import type { IncomingMessage } from 'node:http';
import { badRequest } from '@hearth/errors';

const single: ReadonlySet<string> = new Set(['host', 'authorization']);

type Head = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'rawHeaders'>;

/**
 * Throws bad_request for a request that two servers could interpret differently: Node keeps the first of two
 * equal headers, and ignores an unknown transfer coding.
 */
export function refuseAmbiguous({ headers, httpVersion, rawHeaders }: Head): void {
  if (headers.host === undefined && httpVersion === '1.1')
    throw badRequest('send a host header', { code: 'bad_field', field: 'host' });
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw badRequest(
      'send the body with "Transfer-Encoding: chunked" or with its length, and in no other coding',
      { code: 'bad_field', field: 'transfer-encoding' },
    );
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name))
      throw badRequest(`send one ${name} header, not several`, { code: 'bad_field', field: name });
    seen.add(name);
  }
}
