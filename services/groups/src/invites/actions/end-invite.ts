import { nowDate } from '@hearth/clock';
import type { UnitOfWork } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { cancelJoinApprovals } from '../db/join-approvals.ts';
import { declineWaiting, listWaiting } from '../db/join-requests.ts';
import { inviteEnded } from '../domain/events.ts';
import { changeOfInvite, type LockedInvite } from './invite-machine.ts';

/** The people who wait to join by the invite, for `endInvite`. */
export async function findWaiting(
  { database, people }: Pick<Context, 'database' | 'people'>,
  { id, max_uses }: Pick<InviteRow, 'id' | 'max_uses'>,
): Promise<Map<string, PersonFacts>> {
  const waiting = await listWaiting(database.db, [id], max_uses);
  return await people.everywhere.find(waiting.map(({ person }) => person));
}

interface Ending {
  why: 'revoked' | 'expired';
  /** The people who wait; anyone who has come since is announced without a name. */
  known: ReadonlyMap<string, PersonFacts>;
  /** Absent if the invite expired. */
  by?: Caller;
}

/** Ends an invite and its pending join requests. Returns null if it has already ended. */
export async function endInvite(
  { clock, invites }: Pick<Context, 'clock' | 'invites'>,
  tx: UnitOfWork,
  at: LockedInvite,
  { why, known, by }: Ending,
): Promise<InviteRow | null> {
  const { done: invite } = await invites.take(tx, at, why);
  if (invite === undefined) return null;
  await cancelJoinApprovals(tx, { invite: invite.id }, nowDate(clock));
  const waited = await declineWaiting(tx, invite.id, nowDate(clock));
  const change = await changeOfInvite(tx, { group: at.group, invite }, [...known.values()], by);
  if (waited.length === 0) tx.announce(inviteEnded(change, why));
  const nameless = { handle: '', name: '', ageBand: AgeBand.CHILD };
  for (const id of waited) tx.announce(inviteEnded(change, why, known.get(id) ?? { id, ...nameless }));
  return invite;
}
