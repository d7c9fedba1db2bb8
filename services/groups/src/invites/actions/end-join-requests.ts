import { nowDate } from '@hearth/clock';
import { itemsChanged } from '@hearth/items';
import type { Host } from '@hearth/runtime';
import type { JoinRequests } from '../../groups/module.ts';
import { listPlaced } from '../db/items.ts';
import { cancelJoinApprovals } from '../db/join-approvals.ts';
import { clearNotes, findJoinRequest, listInvitesWaitedOn, writeJoinRequest } from '../db/join-requests.ts';
import { keyOf } from '../domain/items.ts';
import { inviteMachine } from './invite-machine.ts';
import { closeApproval } from './join-approvals.ts';
import { unlessDeleted } from './unless-deleted.ts';

/** Ends join requests when an account ends, and join requests and invites when a group does. */
export function joinRequests(
  host: Pick<Host, 'clock' | 'commit' | 'database' | 'log' | 'peer'>,
): JoinRequests {
  const { clock, database } = host;
  const invites = inviteMachine(host);
  return {
    // Clears the person's notes and notifies no one.
    async withdrawAll(person, before) {
      for (const { invite: id, group } of await listInvitesWaitedOn(database.db, person)) {
        const withdrawn = invites.act({ id, group }, async (_, tx) => {
          const join = await findJoinRequest(tx, id, person);
          if (join?.status !== 'waiting' || (before !== undefined && join.asked_at > before)) return null;
          await writeJoinRequest(tx, { ...join, status: 'withdrawn', ended_at: nowDate(clock) });
          await closeApproval(host, tx, join, 'cancelled');
          return 'withdrawn';
        });
        await unlessDeleted(withdrawn);
      }
      await database.transaction((tx) => clearNotes(tx, person));
    },
    async cancelOfGroup(tx, group) {
      await cancelJoinApprovals(tx, { group }, nowDate(clock));
      const placed = await listPlaced(tx, group);
      if (placed.length > 0) tx.announce(itemsChanged({ closed: placed.map(keyOf) }));
    },
  };
}
