import { parseReference } from '@hearth/addresses';
import { HearthError, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { maySee, viewing } from './viewer.ts';

/**
 * The approval of that id, for a caller who may see it.
 *
 * @param reference apr_..., or r:<home>:apr_...
 * @throws not_found for every other; not_built for one of another home
 */
export async function findVisible(
  { batched, homeNames }: Pick<Context, 'batched' | 'homeNames'>,
  reference: string,
  caller: Caller,
): Promise<WholeApproval> {
  const id = parseId('apr', localId(reference, homeNames));
  const found = id === null ? null : await batched.find(id);
  if (found === null || !maySee(viewing(caller), found.approval, found.recipients)) throw notFound();
  return found;
}

function localId(text: string, homeNames: Context['homeNames']): string {
  const own = `r:${homeNames.ownHome}:`;
  if (text.startsWith(own)) return text.slice(own.length);
  const reference = parseReference(text, homeNames);
  if (reference === null) return text;
  throw new HearthError(
    'not_built',
    `this home does not talk with other homes yet, such as ${reference.home}`,
    { code: 'not_built' },
  );
}
