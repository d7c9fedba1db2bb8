import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { MemberRow } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import type { JoinApproval } from '../db/join-approvals.ts';
import { type JoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { nextApprover, withApproversNow } from '../domain/approvers-now.ts';
import { noticesFor, type PersonWithGuardians } from '../domain/events.ts';
import { letIn } from '../domain/notices.ts';
import { admit, type LockedJoinRequest } from './invite-machine.ts';
import { closeApproval, openApproval, openApprover } from './join-approvals.ts';

export interface Answered {
  join: JoinRequest;
  member: MemberRow | null;
}

/** The end of an approval that is no longer needed. */
export const cancelled = { wanted: 'cancelled', said: null } as const;

/**
 * Lets the joiner in, or asks the next approver.
 *
 * @param ended how the open approval ends if its approver is no longer needed
 */
export async function goOn(
  context: Context,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  joiner: PersonWithGuardians,
  by: Caller,
  ended: Pick<JoinApproval, 'said'> & { wanted: 'approved' | 'cancelled' },
): Promise<Answered> {
  const { invite, join } = at;
  const asked = await openApprover(tx, join);
  const role = nextApprover(join, joiner.facts);
  const goesOn = asked !== null && asked === role;
  if (!goesOn) await closeApproval(context, tx, join, ended.wanted, ended.said);
  if (role === null) return await admit(context, tx, at, joiner, by);
  const next = goesOn ? join : await openApproval(context, tx, invite, join, role);
  await writeJoinRequest(tx, next);
  return { join: next, member: null };
}

/** Continues with the current roles: lets the joiner in if they need no further approval. */
export async function askThoseOfNow(
  context: Context,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  joiner: PersonWithGuardians,
  by: Caller,
): Promise<void> {
  const { group, invite } = at;
  const { facts } = joiner;
  const now = { ...at, join: withApproversNow(group, at.join, facts) };
  const { member } = await goOn(context, tx, now, joiner, by, cancelled);
  if (member !== null) tx.announce(...noticesFor(joiner, letIn(group, { invite, joiner: facts }, '', by)));
}
