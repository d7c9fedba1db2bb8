import { day, nowDate } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Context } from '../context.ts';
import { deleteInvitesBefore } from '../db/invites.ts';
import { deleteJoinApprovalsBefore } from '../db/join-approvals.ts';
import { deleteMailsBefore } from '../db/mails.ts';

const keptDays = 90;
const batch = 1_000;

/** Deletes invites that ended long ago, with their join requests and approvals, and addresses that they were mailed to. */
export async function purgeInvites({ clock, database }: Context): Promise<void> {
  const before = new Date(clock.now() - keptDays * day);
  await inBatches(database, batch, (tx, size) => deleteInvitesBefore(tx, before, size));
  await inBatches(database, batch, (tx, size) => deleteMailsBefore(tx, nowDate(clock), size));
  await inBatches(database, batch, (tx, size) => deleteJoinApprovalsBefore(tx, before, size));
}
