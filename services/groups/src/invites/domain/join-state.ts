/** What became of somebody's wish to join by an invite. */
export type JoinStatus = 'waiting' | 'joined' | 'declined' | 'withdrawn';

export type Word = 'organizer' | 'guardian';

/** Whose word a wish to join needs, and whose has come. */
export interface JoinProgress {
  needs_organizer: boolean;
  organizer_at: Date | null;
  needs_guardian: boolean;
  guardian_at: Date | null;
}

/** Whose word is still to come. */
export function waitingFor(join: JoinProgress): Word[] {
  const words: Word[] = [];
  if (join.needs_organizer && join.organizer_at === null) words.push('organizer');
  if (join.needs_guardian && join.guardian_at === null) words.push('guardian');
  return words;
}

/** What somebody who waits is told, in the words of an invite's states. */
export function outcomeOf(
  join: JoinProgress & { status: JoinStatus },
): 'waiting' | 'approved' | 'declined' | 'used' {
  if (join.status === 'joined') return 'used';
  if (join.status !== 'waiting') return 'declined';
  return join.needs_organizer && join.organizer_at !== null ? 'approved' : 'waiting';
}

/**
 * Whether organizers look at who joins a group.
 *
 * @param underEighteen whether somebody under 18 is in the group, or is who joins
 */
export function needsReview(review: 'none' | 'minors' | 'all', underEighteen: boolean): boolean {
  return review === 'all' || (review === 'minors' && underEighteen);
}
