import { notFound } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { Context } from '../context.ts';
import { findApproval } from '../db/approvals.ts';

/** @throws not_found unless the id (uuid) is a request to join a group */
export async function requireJoin({ database }: Context, id: string): Promise<void> {
  const approval = isUuid(id) ? await findApproval(database.db, id) : null;
  if ((approval?.joiner ?? null) === null) throw notFound();
}
