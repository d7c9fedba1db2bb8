import { badField } from '@hearth/errors';
import { type GroupSettings, JoinReview, Minors, Plans } from '@hearth/proto/groups/v1/groups';

/** What a group has settled about itself, as its row holds it. */
export interface Settings {
  minors: 'no' | 'guardian' | 'teens';
  /** 13 or 16; of effect with minors=teens. */
  consent_age: number;
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

const minorsWords = { [Minors.NO]: 'no', [Minors.GUARDIAN]: 'guardian', [Minors.TEENS]: 'teens' } as const;
const reviewWords = {
  [JoinReview.NONE]: 'none',
  [JoinReview.MINORS]: 'minors',
  [JoinReview.ALL]: 'all',
} as const;
const plansWords = { [Plans.ALLOW]: 'allow', [Plans.ASK]: 'ask', [Plans.NEVER]: 'never' } as const;

const minorsOf = { no: Minors.NO, guardian: Minors.GUARDIAN, teens: Minors.TEENS } as const;
const reviewOf = { none: JoinReview.NONE, minors: JoinReview.MINORS, all: JoinReview.ALL } as const;
const plansOf = { allow: Plans.ALLOW, ask: Plans.ASK, never: Plans.NEVER } as const;

/**
 * `before` with what is given in its place.
 *
 * @param lawfulAge the age of consent where the organizer lives
 * @throws bad_field for what does not go together
 */
export function settle(before: Settings, given: GroupSettings | undefined, lawfulAge: number): Settings {
  if (given === undefined) return before;
  const { minors, consentAge, joinReview, groupAi, plans } = given;
  const settings: Settings = {
    minors: minors ? minorsWords[minors] : before.minors,
    consent_age: consentAge ?? before.consent_age,
    join_review: joinReview ? reviewWords[joinReview] : before.join_review,
    group_ai_runs: groupAi ?? before.group_ai_runs,
    plans: plans ? plansWords[plans] : before.plans,
  };
  if (settings.consent_age !== 13 && settings.consent_age !== 16)
    throw badField('settings.consent_age', 'must be 13 or 16');
  const touched = minors !== undefined || consentAge !== undefined;
  if (touched && settings.minors === 'teens' && settings.consent_age < lawfulAge) {
    throw badField(
      'settings.consent_age',
      `must be 16: where you live, people join by themselves from ${lawfulAge} years on`,
    );
  }
  return settings;
}

export function toSettings(settings: Settings) {
  return {
    minors: minorsOf[settings.minors],
    consentAge: settings.consent_age,
    joinReview: reviewOf[settings.join_review],
    groupAi: settings.group_ai_runs,
    plans: plansOf[settings.plans],
  };
}
