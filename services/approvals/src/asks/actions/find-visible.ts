import { readId } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findByReference } from '../db/approvals.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { asOfNow } from './roles-now.ts';
import { maySee, viewing } from './viewer.ts';

/**
 * The approval with this id, if the caller may see it.
 *
 * @param reference apr_..., or r:<home>:apr_...
 * @throws not_found otherwise
 */
export async function findVisible(
  context: Pick<Context, 'batched' | 'database' | 'homeNames' | 'knownAis' | 'people'>,
  reference: string,
  caller: Caller,
): Promise<WholeApproval> {
  const { batched, database, homeNames } = context;
  const read = readId(reference, homeNames);
  const id = 'id' in read ? parseId('apr', read.id) : await findByReference(database.db, read.reference);
  const found = id === null ? null : await batched.find(id);
  if (found === null) throw notFound();
  const now = await asOfNow(context, found);
  if (!maySee(viewing(caller), now.approval, now.recipients)) throw notFound();
  return found;
}
