export type JoinStatus = 'waiting' | 'joined' | 'declined' | 'withdrawn';

export type Approver = 'organizer' | 'guardian';

/** The approvals that a join request needs, and when each was given. */
export interface JoinProgress {
  needs_organizer: boolean;
  organizer_at: Date | null;
  needs_guardian: boolean;
  guardian_at: Date | null;
}

/** The approvers who have not agreed yet. */
export function waitingFor(join: JoinProgress): Approver[] {
  const approvers: Approver[] = [];
  if (join.needs_organizer && join.organizer_at === null) approvers.push('organizer');
  if (join.needs_guardian && join.guardian_at === null) approvers.push('guardian');
  return approvers;
}

/** The join request's state as its joiner sees it, named like an invite's states. */
export function outcomeOf(
  join: JoinProgress & { status: JoinStatus },
): 'waiting' | 'approved' | 'declined' | 'used' {
  if (join.status === 'joined') return 'used';
  if (join.status !== 'waiting') return 'declined';
  return join.needs_organizer && join.organizer_at !== null ? 'approved' : 'waiting';
}

/** Whether organizers must approve this joiner. @param underEighteen whether the joiner or a member is under 18 */
export function needsReview(review: 'none' | 'minors' | 'all', underEighteen: boolean): boolean {
  return review === 'all' || (review === 'minors' && underEighteen);
}
