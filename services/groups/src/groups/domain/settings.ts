import { enumNames } from '@hearth/enum-names';
import { badField } from '@hearth/errors';
import {
  type GroupSettings,
  JoinReviewSchema,
  MinorsSchema,
  PlansSchema,
} from '@hearth/proto/groups/v1/groups';
import type { AgeRules } from '../../shared/domain/fits.ts';

/** A group's settings, as stored in its row. */
export interface Settings extends AgeRules {
  join_review: 'none' | 'minors' | 'all';
  group_ai_runs: boolean;
  plans: 'allow' | 'ask' | 'never';
}

export const usualSettings: Settings = {
  minors: 'no',
  consent_age: 16,
  join_review: 'minors',
  group_ai_runs: true,
  plans: 'allow',
};

const minorsNames = enumNames(MinorsSchema);
const reviewNames = enumNames(JoinReviewSchema);
const plansNames = enumNames(PlansSchema);

/**
 * Applies the given settings to `before`.
 *
 * @param lawfulAge the age of consent where the organizer lives
 * @throws bad_field if the settings do not fit together
 */
export function settle(before: Settings, given: GroupSettings | undefined, lawfulAge: number): Settings {
  if (given === undefined) return before;
  const { minors = 0, consentAge, joinReview = 0, groupAi, plans = 0 } = given;
  const settings: Settings = {
    minors: (minorsNames.nameOf(minors) || before.minors) as Settings['minors'],
    consent_age: consentAge ?? before.consent_age,
    join_review: (reviewNames.nameOf(joinReview) || before.join_review) as Settings['join_review'],
    group_ai_runs: groupAi ?? before.group_ai_runs,
    plans: (plansNames.nameOf(plans) || before.plans) as Settings['plans'],
  };
  if (settings.consent_age !== 13 && settings.consent_age !== 16)
    throw badField('settings.consent_age', 'must be 13 or 16');
  const touched = given.minors !== undefined || consentAge !== undefined;
  if (touched && settings.minors === 'teens' && settings.consent_age < lawfulAge) {
    throw badField(
      'settings.consent_age',
      `must be 16: by this home's HEARTH_CONSENT_AGES people join by themselves from ${lawfulAge} years on where you live, or where it does not know that (your locale says it)`,
    );
  }
  return settings;
}

export function toSettings(settings: Settings) {
  return {
    minors: minorsNames.valueOf(settings.minors),
    consentAge: settings.consent_age,
    joinReview: reviewNames.valueOf(settings.join_review),
    groupAi: settings.group_ai_runs,
    plans: plansNames.valueOf(settings.plans),
  };
}
