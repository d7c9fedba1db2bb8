import type { IncomingMessage } from 'node:http';
import { badRequest } from '@hearth/errors';

const single: ReadonlySet<string> = new Set(['host', 'authorization']);

/** Throws bad_request for a request that two servers could read apart: Node keeps the first of such lines. */
export function refuseAmbiguous({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) throw badRequest(`send one ${name} header, not several`);
    seen.add(name);
  }
}
