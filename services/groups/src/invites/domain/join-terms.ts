import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { GroupRow } from '../../groups/module.ts';
import { type Joiner, joining, joinRefusal } from '../../shared/domain/fits.ts';
import { needsReview } from './join-state.ts';

export interface ApproversNeeded {
  organizer: boolean;
  guardian: boolean;
}

/**
 * The approvals that a joiner needs under these settings.
 *
 * @param hasMinors whether a member is under 18
 * @throws bad_request: minors_not_allowed; guardian_needed for a person without a guardian
 */
export function approversNeeded(
  settings: Pick<GroupRow, 'minors' | 'consent_age' | 'join_review'>,
  joiner: Joiner,
  hasMinors: boolean,
): ApproversNeeded {
  const guardian = joining(settings, joiner) === 'with_guardian';
  const refusal = joinRefusal(settings, joiner, joiner.guardians.length > 0);
  if (refusal !== null) throw refusal;
  return {
    organizer: needsReview(settings.join_review, hasMinors || joiner.ageBand !== AgeBand.ADULT),
    guardian,
  };
}
