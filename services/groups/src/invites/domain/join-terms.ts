import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Settings } from '../../groups/domain/settings.ts';
import { type Joiner, joining, joinRefusal } from '../../shared/domain/fits.ts';
import { needsReview } from './join-state.ts';

/** Whose word somebody needs before they are in. */
export interface WordsNeeded {
  organizer: boolean;
  guardian: boolean;
}

/**
 * What it takes to join a group that has settled this.
 *
 * @param hasMinors whether somebody under 18 is in it
 * @throws bad_request: minors_not_allowed; guardian_needed for who has nobody to give it
 */
export function wordsNeeded(
  settings: Pick<Settings, 'minors' | 'consent_age' | 'join_review'>,
  joiner: Joiner & { guardians: readonly string[] },
  hasMinors: boolean,
): WordsNeeded {
  const guardian = joining(settings, joiner) === 'with_guardian';
  const refusal = joinRefusal(settings, joiner, joiner.guardians.length > 0);
  if (refusal !== null) throw refusal;
  return {
    organizer: needsReview(settings.join_review, hasMinors || joiner.ageBand !== AgeBand.ADULT),
    guardian,
  };
}
