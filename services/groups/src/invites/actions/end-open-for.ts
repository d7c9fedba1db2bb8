import { nowDate } from '@hearth/clock';
import { findMember } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import { listOpenFor } from '../db/invites.ts';
import { findJoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { closeApproval, syncJoinApprovals } from './join-approvals.ts';

/** Uses up a new member's other invites into the group and ends their pending join requests. */
export async function endOpenFor(context: Context, joined: { group: string; person: string }): Promise<void> {
  const { group, person } = joined;
  for (const invite of await listOpenFor(context.database.db, joined)) {
    await context.invites.act(invite, async (_, tx) => {
      if ((await findMember(tx, group, person)) === null) return null;
      const join = await findJoinRequest(tx, invite.id, person);
      if (join?.status === 'waiting') {
        await writeJoinRequest(tx, { ...join, status: 'joined', ended_at: nowDate(context.clock) });
        await closeApproval(context, tx, join, 'cancelled');
      }
      return 'joined_otherwise';
    });
    await syncJoinApprovals(context, invite.id);
  }
}
