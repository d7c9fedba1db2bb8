import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { GroupRow, MemberRow } from '../../groups/module.ts';
import { joining } from '../../shared/domain/fits.ts';
import type { Context } from '../context.ts';
import type { JoinApproval } from '../db/join-approvals.ts';
import { type JoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import type { PersonWithGuardians } from '../domain/events.ts';
import { waitingFor } from '../domain/join-state.ts';
import { admit, type LockedJoinRequest } from './invite-machine.ts';
import { closeApproval, openApproval, openApprover } from './join-approvals.ts';

export interface Answered {
  join: JoinRequest;
  member: MemberRow | null;
}

/** The end of an approval that is not needed any more. */
export const cancelled = { wanted: 'cancelled', said: null } as const;

/** Whether a guardian must agree may have changed: by the group's settings, the joiner's age, or their guardians. */
export function withApproversNow(
  group: GroupRow,
  join: JoinRequest,
  { facts }: PersonWithGuardians,
): JoinRequest {
  const needs = joining(group, facts) === 'with_guardian';
  const stands = needs && join.guardian !== null && facts.guardians.includes(join.guardian);
  return {
    ...join,
    needs_guardian: needs,
    guardian: stands ? join.guardian : null,
    guardian_at: stands ? join.guardian_at : null,
  };
}

/**
 * Lets the joiner in, or has the approver asked who comes next.
 *
 * @param ended how the open approval ends where its approver is not waited for any more
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
  const left = waitingFor(join);
  const role = await openApprover(tx, join);
  const goesOn = role !== null && left.includes(role);
  if (!goesOn) await closeApproval(context, tx, join, ended.wanted, ended.said);
  if (left.length === 0) return await admit(context, tx, at, joiner, by);
  const next = goesOn ? join : await openApproval(context, tx, invite, join);
  await writeJoinRequest(tx, next);
  return { join: next, member: null };
}
