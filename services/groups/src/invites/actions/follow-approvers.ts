import { isHearthError } from '@hearth/errors';
import { anonymous } from '@hearth/rpc';
import { joinRefusal } from '../../shared/domain/fits.ts';
import type { Context } from '../context.ts';
import { findJoinRequest, listInvitesWaitedOn, writeJoinRequest } from '../db/join-requests.ts';
import { withApproversNow } from '../domain/approvers-now.ts';
import { askThoseOfNow } from './go-on.ts';
import { withGuardians } from './invite-machine.ts';
import { syncJoinApprovals } from './join-approvals.ts';
import { unlessDeleted } from './unless-deleted.ts';

/** Re-asks the current approvers of a person's join requests after their guardians or age changed. Idempotent. */
export async function followApprovers(context: Context, person: string): Promise<void> {
  const { database, invites, log, people } = context;
  const waited = await listInvitesWaitedOn(database.db, person);
  const facts = waited.length === 0 ? null : await people.everywhere.findOne(person);
  if (facts === null) return;
  const joiner = await withGuardians(context, facts);
  for (const { invite: id, group } of waited) {
    const followed = invites.locked({ id, group }, async (tx, locked) => {
      const join = await findJoinRequest(tx, id, person);
      const isOver = locked.invite.status === 'declined' || locked.group.archived_at !== null;
      if (join?.status !== 'waiting' || isOver) return;
      if (joinRefusal(locked.group, facts, facts.guardians.length > 0) !== null) {
        // No one can approve now. A former guardian's agreement ends here, so it doesn't count if they become
        // guardian again.
        await writeJoinRequest(tx, withApproversNow(locked.group, join, facts));
        return;
      }
      await askThoseOfNow(context, tx, { ...locked, join }, joiner, anonymous);
    });
    try {
      await unlessDeleted(followed);
    } catch (err) {
      if (!isHearthError(err) || err.kind === 'internal' || err.kind === 'unavailable') throw err;
      log.info({ err, invite: id }, 'a joiner who needs no guardian any more could not be let in');
    }
    await syncJoinApprovals(context, id);
  }
}
