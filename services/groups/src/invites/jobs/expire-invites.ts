import { nowDate } from '@hearth/clock';
import { endInvite, findWaiting } from '../actions/end-invite.ts';
import { findInviter } from '../actions/invite-machine.ts';
import { unlessDeleted } from '../actions/unless-deleted.ts';
import type { Context } from '../context.ts';
import { findInvite, type InviteRow, listDueInvites } from '../db/invites.ts';
import { noticesFor } from '../domain/events.ts';
import { cameToNothing } from '../domain/notices.ts';

const batch = 50;

/** Ends expired invites. They already show as ended before it runs. */
export async function expireInvites(context: Context): Promise<void> {
  const { clock, database } = context;
  let due: Pick<InviteRow, 'id'>[];
  do {
    due = await listDueInvites(database.db, nowDate(clock), batch);
    for (const { id } of due) await expire(context, id);
  } while (due.length === batch);
}

async function expire(context: Context, id: string): Promise<void> {
  const invite = await findInvite(context.database.db, id);
  if (invite === null) return;
  const known = await findWaiting(context, invite);
  const inviter = await findInviter(context, invite);
  const expired = context.invites.locked(invite, async (tx, { group, stored }) => {
    const open = { group, invite: stored, stored };
    const ended = await endInvite(context, tx, open, { why: 'expired', known });
    if (ended !== null && inviter !== null)
      tx.announce(...noticesFor(inviter, cameToNothing(group, ended, undefined)));
  });
  await unlessDeleted(expired);
}
