import { nowDate } from '@hearth/clock';
import type { Context } from '../context.ts';
import { findJoinRequest, listWaitingIn, writeJoinRequest } from '../db/join-requests.ts';
import { inviteEnded, noticesFor } from '../domain/events.ts';
import { groupArchived } from '../domain/notices.ts';
import { changeOfInvite, withGuardians } from './invite-machine.ts';
import { closeApproval, syncJoinApprovals } from './join-approvals.ts';
import { unlessDeleted } from './unless-deleted.ts';

/**
 * Ends the join requests that were pending when a group was archived, and notifies their joiners. Requests
 * made after a restore are kept. Idempotent.
 */
export async function endOfArchived(context: Context, group: string, archivedAt: Date): Promise<void> {
  const { clock, database, invites, people } = context;
  for (const { invite: id, person } of await listWaitingIn(database.db, group, archivedAt)) {
    const facts = await people.everywhere.findOne(person);
    const joiner = facts === null ? null : await withGuardians(context, facts);
    const ended = invites.locked({ id, group }, async (tx, locked) => {
      const join = await findJoinRequest(tx, id, person);
      if (join?.status !== 'waiting' || join.asked_at > archivedAt) return;
      await invites.take(tx, locked, 'archived');
      await writeJoinRequest(tx, { ...join, status: 'declined', why: 'archived', ended_at: nowDate(clock) });
      await closeApproval(context, tx, join, 'cancelled');
      if (joiner === null) return;
      const of = { invite: locked.invite, joiner: joiner.facts };
      tx.announce(
        inviteEnded(await changeOfInvite(tx, locked, [joiner.facts], undefined), 'archived', joiner.facts),
        ...noticesFor(joiner, groupArchived(locked.group, of)),
      );
    });
    await unlessDeleted(ended);
    await syncJoinApprovals(context, id);
  }
}
