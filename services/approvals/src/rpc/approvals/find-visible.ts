import { parseReference } from '@hearth/addresses';
import { HearthError, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../../context.ts';
import { type ApprovalRow, findApproval } from '../../db/approvals.ts';
import { listRecipients, type RecipientRow } from '../../db/recipients.ts';
import { maySee, viewing } from './viewer.ts';

export interface Visible {
  approval: ApprovalRow;
  recipients: RecipientRow[];
}

/**
 * The approval of that id, for somebody who may see it.
 *
 * @param reference apr_..., or r:<home>:apr_...
 * @throws not_found for every other; not_built for one of another home
 */
export async function findVisible(
  { database, homeNames }: Pick<Context, 'database' | 'homeNames'>,
  reference: string,
  caller: Caller,
): Promise<Visible> {
  const id = parseId('apr', localId(reference, homeNames));
  const approval = id === null ? null : await findApproval(database.db, id);
  if (approval === null) throw notFound();
  const recipients = await listRecipients(database.db, approval.id);
  if (!maySee(viewing(caller), approval, recipients)) throw notFound();
  return { approval, recipients };
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
