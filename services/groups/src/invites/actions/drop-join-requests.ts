import { isHearthError } from '@hearth/errors';
import type { Context } from '../../groups/context.ts';
import { clearNotes, findJoin, listInvitesWaitedOn, writeJoin } from '../db/join-requests.ts';
import { changeInvite, move } from './change-invite.ts';
import { closeAsk } from './join-approvals.ts';

/** Takes back what somebody whose account ends still waits for, and forgets what they wrote. Nobody is told who they were. */
export async function dropWishes(context: Context, person: string): Promise<void> {
  const { clock, database } = context;
  for (const { invite: id, group: groupId } of await listInvitesWaitedOn(database.db, person)) {
    try {
      await changeInvite(context, { id, group: groupId }, async (tx, _, invite) => {
        const join = await findJoin(tx, id, person);
        if (join?.status === 'waiting') {
          await writeJoin(tx, { ...join, status: 'withdrawn', ended_at: new Date(clock.now()) });
          await closeAsk(context, tx, join, 'cancelled');
          await move(tx, invite, 'withdrawn');
        }
        return { result: undefined, events: [] };
      });
    } catch (error) {
      // Its group was deleted meanwhile, and the invite with it.
      if (!isHearthError(error) || error.kind !== 'not_found') throw error;
    }
  }
  await database.transaction((tx) => clearNotes(tx, person));
}
