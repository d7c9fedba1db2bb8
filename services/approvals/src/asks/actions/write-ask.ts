import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { recordAsked, recordSettled } from './metrics.ts';

/**
 * Writes an ask and announces it; an ask that rules settle at once is signed before this resolves. Returns
 * null, and writes nothing, if its id or request_id is taken.
 */
export async function writeAsk(
  context: Context,
  rows: WholeApproval,
  events: readonly Announcement[],
  caller?: Caller,
): Promise<WholeApproval | null> {
  const { status, kind } = rows.approval;
  if (!(await context.batched.ask(rows, events))) return null;
  recordAsked({ kind });
  if (status === 'waiting') return rows;
  recordSettled({ status, kind });
  return await context.signing.now(rows, caller);
}
