import { isCanonicalAddress, parseAddress } from '@hearth/addresses';
import { readStrictObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import { type CardWanted, HomeRefusal } from '../domain/home-answer.ts';
import type { CheckedRequest } from './check-request.ts';

const prefix = '/cards/';

/** GET /cards/{address}?for=: reads the canonical local address, and the party of the other home that asks. */
export function readCardRequest(
  { home, devHomes }: Pick<Context, 'home' | 'devHomes'>,
  { origin, path, query }: CheckedRequest,
): CardWanted {
  const address = decoded(path.slice(prefix.length));
  const options = { devHomes, ownHome: home };
  const named = address === null ? null : parseAddress(address, options);
  if (address === null || named === null || named.home !== undefined || !isCanonicalAddress(address, options))
    throw new HomeRefusal('not_found', 'there is no such card');
  const viewer = query.get('for') ?? '';
  if (
    viewer !== '' &&
    (!isCanonicalAddress(viewer, { devHomes }) || parseAddress(viewer, { devHomes })?.home !== origin)
  )
    throw new HomeRefusal('bad_batch', `for must be a full address of ${origin}`);
  return { home: origin, address, for: viewer };
}

function decoded(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    return segment === '' || text.includes('/') ? null : text;
  } catch {
    return null;
  }
}

/** POST /invites/peek: reads the code of a local invite. */
export function readPeek({ origin }: CheckedRequest, body: Uint8Array): { home: string; code: string } {
  const read = readStrictObject(body, { maxBytes: 1_024 });
  if (read === null) throw new HomeRefusal('bad_json', 'the body must be a JSON object');
  const { code } = read;
  if (typeof code !== 'string' || code === '' || code.length > 100)
    throw new HomeRefusal('bad_batch', 'the body must be {"code": "<the code of an invite>"}');
  return { home: origin, code };
}
