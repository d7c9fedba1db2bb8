import { day } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../../groups/context.ts';
import { changeInvite, tell, withGuardians } from '../actions/change-invite.ts';
import { endInvite } from '../actions/end-invite.ts';
import { deleteInvitesBefore, findInvite, type InviteRow, listDueInvites } from '../db/invites.ts';
import { deleteAsksBefore } from '../db/join-approvals.ts';
import { listWaiting } from '../db/join-requests.ts';
import { cameToNothing } from '../domain/notices.ts';

const batch = 50;
const byItself: Caller | undefined = undefined;

type Needed = Pick<Context, 'clock' | 'database' | 'outbox'> & {
  people: Pick<Context['people'], 'find' | 'findOne'>;
};

/** Ends the invites whose time is over. Until it runs, they are shown as ended already. */
export async function expireInvites(context: Needed): Promise<void> {
  const { clock, database } = context;
  let due: Pick<InviteRow, 'id' | 'group'>[];
  do {
    due = await listDueInvites(database.db, new Date(clock.now()), batch);
    for (const { id } of due) await expire(context, id);
  } while (due.length === batch);
}

async function expire(context: Needed, id: string): Promise<void> {
  const { database, people } = context;
  const invite = await findInvite(database.db, id);
  if (invite === null) return;
  const waiting = await listWaiting(database.db, [id], invite.max_uses);
  const known = await people.find(waiting.map(({ person }) => person));
  const inviter = await people.findOne(invite.created_by_person);
  const told = inviter === null ? null : await withGuardians(context, inviter);
  try {
    await changeInvite(context, invite, async (tx, group, _, stored) => {
      const ended = await endInvite(context, tx, { group, invite: stored }, 'expired', known, byItself);
      if (ended === null) return { result: undefined, events: [] };
      const notices = told === null ? [] : tell(context, told, cameToNothing(group, ended.invite, byItself));
      return { result: undefined, events: [...ended.events, ...notices] };
    });
  } catch (error) {
    // Its group was deleted meanwhile, and the invite with it.
    if (!isHearthError(error) || error.kind !== 'not_found') throw error;
  }
}

const keptDays = 90;
const purged = 1_000;

/** Forgets invites that ended long ago, and who came by them. */
export async function purgeInvites({ clock, database }: Pick<Context, 'clock' | 'database'>): Promise<void> {
  const before = new Date(clock.now() - keptDays * day);
  let removed: number;
  do {
    removed = await database.transaction((tx) => deleteInvitesBefore(tx, before, purged));
  } while (removed === purged);
  do {
    removed = await database.transaction((tx) => deleteAsksBefore(tx, before, purged));
  } while (removed === purged);
}
